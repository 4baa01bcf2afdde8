// passes: scf-parallel-loop-tiling

// Without sizes, a tile has one point.
func.func @kernel(%m: memref<8xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    memref.store %v, %m[%i] : memref<8xi32>
  }
  return
}

//> module {
//>   func.func @kernel(%arg0: memref<8xi32>, %arg1: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     %c0_0 = arith.constant 0 : index
//>     %c1_1 = arith.constant 1 : index
//>     %0 = arith.muli %c1, %c1_1 : index
//>     scf.parallel (%arg2) = (%c0) to (%c8) step (%0) {
//>       scf.parallel (%arg3) = (%c0_0) to (%0) step (%c1) {
//>         %1 = arith.addi %arg3, %arg2 : index
//>         memref.store %arg1, %arg0[%1] : memref<8xi32>
//>         scf.reduce
//>       }
//>       scf.reduce
//>     }
//>     return
//>   }
//> }
