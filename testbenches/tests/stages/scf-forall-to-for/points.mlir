// passes: scf-forall-to-for

// Each dimension becomes a loop.
func.func @kernel(%m: memref<4x2xi32>, %v: i32) {
  scf.forall (%i, %j) in (4, 2) {
    memref.store %v, %m[%i, %j] : memref<4x2xi32>
  }
  return
}

//> module {
//>   func.func @kernel(%arg0: memref<4x2xi32>, %arg1: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c0_0 = arith.constant 0 : index
//>     %c4 = arith.constant 4 : index
//>     %c2 = arith.constant 2 : index
//>     %c1 = arith.constant 1 : index
//>     %c1_1 = arith.constant 1 : index
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       scf.for %arg3 = %c0_0 to %c2 step %c1_1 {
//>         memref.store %arg1, %arg0[%arg2, %arg3] : memref<4x2xi32>
//>       }
//>     }
//>     return
//>   }
//> }
