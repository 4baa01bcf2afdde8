// passes: directives, normalise, affine-to-scf
// config: {loops: {i: {tile: 4}, j: {unroll: 2}, k: {pipeline: false}, m: {ii: 2}}}

// A dimension is a loop with directives of its own.
func.func @parallel(%a: memref<8x6xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %x = arith.constant 3 : i32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c6) step (%c1, %c1) {
    memref.store %x, %a[%i, %j] : memref<8x6xi32>
    scf.reduce
  }
  affine.parallel (%k, %l) = (0, 0) to (8, 6) {
    affine.store %x, %a[%k, %l] : memref<8x6xi32>
  }
  scf.forall (%l, %m) in (%n, 6) {
    memref.store %x, %a[%l, %m] : memref<8x6xi32>
  }
  return
}

//> module {
//>   func.func @parallel(%arg0: memref<8x6xi32>, %arg1: index) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c6 = arith.constant 6 : index
//>     %c8 = arith.constant 8 : index
//>     %c3_i32 = arith.constant 3 : i32
//>     scf.for %arg2 = %c0 to %c8 step %c1 {
//>       scf.for %arg3 = %c0 to %c6 step %c1 {
//>         memref.store %c3_i32, %arg0[%arg2, %arg3] : memref<8x6xi32>
//>       } {sluice.unroll = 2 : i64}
//>     } {sluice.tile = 4 : i64}
//>     %c0_0 = arith.constant 0 : index
//>     %c0_1 = arith.constant 0 : index
//>     %c8_2 = arith.constant 8 : index
//>     %c6_3 = arith.constant 6 : index
//>     %c1_4 = arith.constant 1 : index
//>     scf.for %arg2 = %c0_0 to %c8_2 step %c1_4 {
//>       %c1_10 = arith.constant 1 : index
//>       scf.for %arg3 = %c0_1 to %c6_3 step %c1_10 {
//>         memref.store %c3_i32, %arg0[%arg2, %arg3] : memref<8x6xi32>
//>       }
//>     } {sluice.pipeline = false}
//>     %c0_5 = arith.constant 0 : index
//>     %c0_6 = arith.constant 0 : index
//>     %c6_7 = arith.constant 6 : index
//>     %c1_8 = arith.constant 1 : index
//>     %c1_9 = arith.constant 1 : index
//>     scf.for %arg2 = %c0_5 to %arg1 step %c1_8 {
//>       scf.for %arg3 = %c0_6 to %c6_7 step %c1_9 {
//>         memref.store %c3_i32, %arg0[%arg2, %arg3] : memref<8x6xi32>
//>       } {sluice.fixed_ii = 2 : i64}
//>     }
//>     return
//>   }
//> }
