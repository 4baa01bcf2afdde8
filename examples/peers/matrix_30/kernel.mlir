// C := A B.
func.func @matrix_30(%A: memref<30x30xi32>, %B: memref<30x30xi32>, %C: memref<30x30xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 30 {
    affine.for %j = 0 to 30 {
      %total = affine.for %k = 0 to 30 iter_args(%partial = %zero) -> (i32) {
        %a = affine.load %A[%i, %k] : memref<30x30xi32>
        %b = affine.load %B[%k, %j] : memref<30x30xi32>
        %product = arith.muli %a, %b : i32
        %next = arith.addi %partial, %product : i32
        affine.yield %next : i32
      }
      affine.store %total, %C[%i, %j] : memref<30x30xi32>
    }
  }
  return
}
