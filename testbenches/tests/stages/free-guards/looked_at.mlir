// passes: canonicalise, if-convert, canonicalise, free-guards

// What is read goes into a sum that is chosen under the condition: where it does not hold, anything may be read.
func.func @free(%c: memref<16xi1>, %a: memref<16xi32>, %b: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %sum = scf.for %n = %c0 to %c16 step %c1 iter_args(%so_far = %zero) -> (i32) {
    %which = memref.load %c[%n] : memref<16xi1>
    %next = scf.if %which -> i32 {
      %v = memref.load %a[%n] : memref<16xi32>
      %s = arith.addi %so_far, %v : i32
      scf.yield %s : i32
    } else {
      scf.yield %so_far : i32
    }
    scf.yield %next : i32
  }
  memref.store %sum, %b[%c0] : memref<16xi32>
  return
}

// Of two conditions that must hold, one alone is not enough to look at the value.
func.func @nested(%c: memref<16xi1>, %d: memref<16xi1>, %a: memref<16xi32>, %b: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  scf.for %n = %c0 to %c16 step %c1 {
    %outer = memref.load %c[%n] : memref<16xi1>
    %inner = memref.load %d[%n] : memref<16xi1>
    scf.if %outer {
      %x = scf.if %inner -> i32 {
        scf.yield %zero : i32
      } else {
        %v = memref.load %a[%n] : memref<16xi32>
        scf.yield %v : i32
      }
      memref.store %x, %b[%n] : memref<16xi32>
    }
  }
  return
}

// What is stored is looked at where the condition does not hold too: it is a zero then.
func.func @looked_at(%c: memref<16xi1>, %a: memref<16xi32>, %b: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  scf.for %n = %c0 to %c16 step %c1 {
    %which = memref.load %c[%n] : memref<16xi1>
    %v = scf.if %which -> i32 {
      %v = memref.load %a[%n] : memref<16xi32>
      scf.yield %v : i32
    } else {
      scf.yield %zero : i32
    } {sluice.guard}
    memref.store %v, %b[%n] : memref<16xi32>
  }
  return
}

//> module {
//>   func.func @free(%arg0: memref<16xi1>, %arg1: memref<16xi32>, %arg2: memref<16xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c16 = arith.constant 16 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %0 = scf.for %arg3 = %c0 to %c16 step %c1 iter_args(%arg4 = %c0_i32) -> (i32) {
//>       %1 = memref.load %arg0[%arg3] : memref<16xi1>
//>       %2 = scf.if %1 -> (i32) {
//>         %5 = memref.load %arg1[%arg3] : memref<16xi32>
//>         scf.yield %5 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.any, sluice.guard}
//>       %3 = arith.addi %arg4, %2 : i32
//>       %4 = arith.select %1, %3, %arg4 : i32
//>       scf.yield %4 : i32
//>     }
//>     memref.store %0, %arg2[%c0] : memref<16xi32>
//>     return
//>   }
//>   func.func @nested(%arg0: memref<16xi1>, %arg1: memref<16xi1>, %arg2: memref<16xi32>, %arg3: memref<16xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c16 = arith.constant 16 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     scf.for %arg4 = %c0 to %c16 step %c1 {
//>       %0 = memref.load %arg0[%arg4] : memref<16xi1>
//>       %1 = memref.load %arg1[%arg4] : memref<16xi1>
//>       %true = arith.constant true
//>       %2 = arith.xori %1, %true : i1
//>       %3 = arith.andi %0, %2 : i1
//>       %4 = scf.if %3 -> (i32) {
//>         %6 = memref.load %arg2[%arg4] : memref<16xi32>
//>         scf.yield %6 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.any, sluice.guard}
//>       %5 = arith.select %1, %c0_i32, %4 : i32
//>       scf.if %0 {
//>         memref.store %5, %arg3[%arg4] : memref<16xi32>
//>       } {sluice.guard}
//>     }
//>     return
//>   }
//>   func.func @looked_at(%arg0: memref<16xi1>, %arg1: memref<16xi32>, %arg2: memref<16xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c16 = arith.constant 16 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     scf.for %arg3 = %c0 to %c16 step %c1 {
//>       %0 = memref.load %arg0[%arg3] : memref<16xi1>
//>       %1 = scf.if %0 -> (i32) {
//>         %2 = memref.load %arg1[%arg3] : memref<16xi32>
//>         scf.yield %2 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.guard}
//>       memref.store %1, %arg2[%arg3] : memref<16xi32>
//>     }
//>     return
//>   }
//> }
