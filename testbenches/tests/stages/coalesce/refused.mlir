// passes: canonicalise, coalesce, canonicalise

// A division in every iteration, and a bound that is read from memory: both loops stay.
func.func @apart(%a: memref<32xi32>, %n: memref<4xindex>, %d: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %a[%j] : memref<32xi32>
      %y = arith.divsi %x, %d : i32
      memref.store %y, %a[%j] : memref<32xi32>
    }
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %length = memref.load %n[%i] : memref<4xindex>
    scf.for %j = %c0 to %length step %c1 {
      memref.store %d, %a[%j] : memref<32xi32>
    }
  }
  return
}

//> module {
//>   func.func @apart(%arg0: memref<32xi32>, %arg1: memref<4xindex>, %arg2: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     %c8 = arith.constant 8 : index
//>     scf.for %arg3 = %c0 to %c4 step %c1 {
//>       scf.for %arg4 = %c0 to %c8 step %c1 {
//>         %0 = memref.load %arg0[%arg4] : memref<32xi32>
//>         %1 = arith.divsi %0, %arg2 : i32
//>         memref.store %1, %arg0[%arg4] : memref<32xi32>
//>       }
//>     }
//>     scf.for %arg3 = %c0 to %c4 step %c1 {
//>       %0 = memref.load %arg1[%arg3] : memref<4xindex>
//>       scf.for %arg4 = %c0 to %0 step %c1 {
//>         memref.store %arg2, %arg0[%arg4] : memref<32xi32>
//>       }
//>     }
//>     return
//>   }
//> }
