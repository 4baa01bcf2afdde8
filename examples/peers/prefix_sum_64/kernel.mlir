// sums[i] = values[0] + ... + values[i].
func.func @prefix_sum_64(%values: memref<64xi32>, %sums: memref<64xi32>) {
  %zero = arith.constant 0 : i32
  %total = affine.for %i = 0 to 64 iter_args(%partial = %zero) -> (i32) {
    %value = affine.load %values[%i] : memref<64xi32>
    %next = arith.addi %partial, %value : i32
    affine.store %next, %sums[%i] : memref<64xi32>
    affine.yield %next : i32
  }
  return
}
