// passes: scf-forall-to-parallel

// All dimensions become those of one parallel loop.
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
//>     scf.parallel (%arg2, %arg3) = (%c0, %c0_0) to (%c4, %c2) step (%c1, %c1_1) {
//>       memref.store %arg1, %arg0[%arg2, %arg3] : memref<4x2xi32>
//>       scf.reduce
//>     }
//>     return
//>   }
//> }
