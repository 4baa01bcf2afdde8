// passes: directives, normalise, affine-to-scf, jam
// config: {loops: {i: {jam: 2}}}

// What stands before and behind the inner loop is copied in order; the inner loop is one, and carries both sums.
func.func @rows(%a: memref<4x8xi32>, %y: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 4 {
    %sum = affine.for %j = 0 to 8 iter_args(%acc = %zero) -> (i32) {
      %x = affine.load %a[%i, %j] : memref<4x8xi32>
      %next = arith.addi %acc, %x : i32
      affine.yield %next : i32
    }
    affine.store %sum, %y[%i] : memref<4xi32>
  }
  return
}

//> module {
//>   func.func @rows(%arg0: memref<4x8xi32>, %arg1: memref<4xi32>) {
//>     %c0_i32 = arith.constant 0 : i32
//>     %c0 = arith.constant 0 : index
//>     %c4 = arith.constant 4 : index
//>     %c1 = arith.constant 1 : index
//>     %c2 = arith.constant 2 : index
//>     scf.for %arg2 = %c0 to %c4 step %c2 {
//>       %c1_0 = arith.constant 1 : index
//>       %c1_1 = arith.constant 1 : index
//>       %0 = arith.addi %arg2, %c1_1 : index
//>       %c0_2 = arith.constant 0 : index
//>       %c8 = arith.constant 8 : index
//>       %c1_3 = arith.constant 1 : index
//>       %c0_4 = arith.constant 0 : index
//>       %c8_5 = arith.constant 8 : index
//>       %c1_6 = arith.constant 1 : index
//>       %1:2 = scf.for %arg3 = %c0_2 to %c8 step %c1_3 iter_args(%arg4 = %c0_i32, %arg5 = %c0_i32) -> (i32, i32) {
//>         %2 = memref.load %arg0[%arg2, %arg3] : memref<4x8xi32>
//>         %3 = arith.addi %arg4, %2 : i32
//>         %4 = memref.load %arg0[%0, %arg3] : memref<4x8xi32>
//>         %5 = arith.addi %arg5, %4 : i32
//>         scf.yield %3, %5 : i32, i32
//>       } {sluice.balance}
//>       memref.store %1#0, %arg1[%arg2] : memref<4xi32>
//>       memref.store %1#1, %arg1[%0] : memref<4xi32>
//>     } {sluice.balance}
//>     return
//>   }
//> }
