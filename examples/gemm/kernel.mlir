// Matrix multiplication, accumulating into the memory of the result: C += A * B.
func.func @gemm(%A: memref<16x16xi32>, %B: memref<16x16xi32>, %C: memref<16x16xi32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 16 {
      affine.for %k = 0 to 16 {
        %a = affine.load %A[%i, %k] : memref<16x16xi32>
        %b = affine.load %B[%k, %j] : memref<16x16xi32>
        %acc = affine.load %C[%i, %j] : memref<16x16xi32>
        %product = arith.muli %a, %b : i32
        %sum = arith.addi %acc, %product : i32
        affine.store %sum, %C[%i, %j] : memref<16x16xi32>
      }
    }
  }
  return
}
