// passes: canonicalise, first-values, canonicalise

// A cell is not overwritten: it keeps the value that the loop gives it.
func.func @fewer_cells(%a: memref<32xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.for %j = %c0 to %c8 step %c1 {
    memref.store %zero, %y[%j] : memref<8xi32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c7 step %c1 {
      %x = memref.load %a[%i] : memref<32xi32>
      %old = memref.load %y[%j] : memref<8xi32>
      %new = arith.addi %old, %x : i32
      memref.store %new, %y[%j] : memref<8xi32>
    }
  }
  return
}

// The cells are read once more, by another load.
func.func @read_elsewhere(%a: memref<32xi32>, %y: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.for %j = %c0 to %c8 step %c1 {
    memref.store %zero, %y[%j] : memref<8xi32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %other = memref.load %y[%i] : memref<8xi32>
    scf.for %j = %c0 to %c8 step %c1 {
      %old = memref.load %y[%j] : memref<8xi32>
      %new = arith.addi %old, %other : i32
      memref.store %new, %y[%j] : memref<8xi32>
    }
  }
  return
}

// How often the loop around runs is not known: it may not run at all.
func.func @unknown_trips(%y: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  scf.for %j = %c0 to %c8 step %c1 {
    memref.store %zero, %y[%j] : memref<8xi32>
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %old = memref.load %y[%j] : memref<8xi32>
      %new = arith.addi %old, %one : i32
      memref.store %new, %y[%j] : memref<8xi32>
    }
  }
  return
}

//> module {
//>   func.func @fewer_cells(%arg0: memref<32xi32>, %arg1: memref<8xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     %c7 = arith.constant 7 : index
//>     %c8 = arith.constant 8 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     scf.for %arg2 = %c0 to %c8 step %c1 {
//>       memref.store %c0_i32, %arg1[%arg2] : memref<8xi32>
//>     }
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       scf.for %arg3 = %c0 to %c7 step %c1 {
//>         %0 = memref.load %arg0[%arg2] : memref<32xi32>
//>         %1 = memref.load %arg1[%arg3] : memref<8xi32>
//>         %2 = arith.addi %1, %0 : i32
//>         memref.store %2, %arg1[%arg3] : memref<8xi32>
//>       }
//>     }
//>     return
//>   }
//>   func.func @read_elsewhere(%arg0: memref<32xi32>, %arg1: memref<8xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     %c8 = arith.constant 8 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     scf.for %arg2 = %c0 to %c8 step %c1 {
//>       memref.store %c0_i32, %arg1[%arg2] : memref<8xi32>
//>     }
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       %0 = memref.load %arg1[%arg2] : memref<8xi32>
//>       scf.for %arg3 = %c0 to %c8 step %c1 {
//>         %1 = memref.load %arg1[%arg3] : memref<8xi32>
//>         %2 = arith.addi %1, %0 : i32
//>         memref.store %2, %arg1[%arg3] : memref<8xi32>
//>       }
//>     }
//>     return
//>   }
//>   func.func @unknown_trips(%arg0: memref<8xi32>, %arg1: index) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %c1_i32 = arith.constant 1 : i32
//>     scf.for %arg2 = %c0 to %c8 step %c1 {
//>       memref.store %c0_i32, %arg0[%arg2] : memref<8xi32>
//>     }
//>     scf.for %arg2 = %c0 to %arg1 step %c1 {
//>       scf.for %arg3 = %c0 to %c8 step %c1 {
//>         %0 = memref.load %arg0[%arg3] : memref<8xi32>
//>         %1 = arith.addi %0, %c1_i32 : i32
//>         memref.store %1, %arg0[%arg3] : memref<8xi32>
//>       }
//>     }
//>     return
//>   }
//> }
