// sum[i] = a[i] + b[i], wrapping.
func.func @vadd_64(%a: memref<64xi32>, %b: memref<64xi32>, %sum: memref<64xi32>) {
  affine.for %i = 0 to 64 {
    %left = affine.load %a[%i] : memref<64xi32>
    %right = affine.load %b[%i] : memref<64xi32>
    %both = arith.addi %left, %right : i32
    affine.store %both, %sum[%i] : memref<64xi32>
  }
  return
}
