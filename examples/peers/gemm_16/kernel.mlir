// C := A B.
func.func @gemm_16(%A: memref<16x16xi32>, %B: memref<16x16xi32>, %C: memref<16x16xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 16 {
      %total = affine.for %k = 0 to 16 iter_args(%partial = %zero) -> (i32) {
        %a = affine.load %A[%i, %k] : memref<16x16xi32>
        %b = affine.load %B[%k, %j] : memref<16x16xi32>
        %product = arith.muli %a, %b : i32
        %next = arith.addi %partial, %product : i32
        affine.yield %next : i32
      }
      affine.store %total, %C[%i, %j] : memref<16x16xi32>
    }
  }
  return
}
