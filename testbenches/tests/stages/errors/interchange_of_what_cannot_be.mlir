func.func @carried(%A: memref<4x8xi32>, %s: memref<4xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 4 { //~ error: `%j` carries `%acc` from one iteration to the next in `iter_args`: keep the value in a memory, or leave the order as it is
    %sum = affine.for %j = 0 to 8 iter_args(%acc = %zero) -> (i32) {
      %a = affine.load %A[%i, %j] : memref<4x8xi32>
      %next = arith.addi %acc, %a : i32
      affine.yield %next : i32
    }
    affine.store %sum, %s[%i] : memref<4xi32>
  } {sluice.interchange = ["j", "i"]}
  return
}
