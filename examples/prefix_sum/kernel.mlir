// Inclusive prefix sum: sums[i] = values[0] + ... + values[i].
func.func @prefix_sum(%values: memref<64xi32>, %sums: memref<64xi32>) {
  %zero = arith.constant 0 : i32
  %total = affine.for %i = 0 to 64 iter_args(%acc = %zero) -> (i32) {
    %value = affine.load %values[%i] : memref<64xi32>
    %sum = arith.addi %acc, %value : i32
    affine.store %sum, %sums[%i] : memref<64xi32>
    affine.yield %sum : i32
  }
  return
}
