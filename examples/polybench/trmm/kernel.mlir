// B := alpha A^T B, with A lower triangular with ones on its diagonal.
func.func @kernel_trmm(%alpha: i32, %A: memref<8x8xi32>, %B: memref<8x12xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 12 {
      affine.for %k = affine_map<(i) -> (i + 1)>(%i) to 8 {
        %old = affine.load %B[%i, %j] : memref<8x12xi32>
        %a = affine.load %A[%k, %i] : memref<8x8xi32>
        %b = affine.load %B[%k, %j] : memref<8x12xi32>
        %product = arith.muli %a, %b : i32
        %new = arith.addi %old, %product : i32
        affine.store %new, %B[%i, %j] : memref<8x12xi32>
      }
      %sum = affine.load %B[%i, %j] : memref<8x12xi32>
      %scaled = arith.muli %alpha, %sum : i32
      affine.store %scaled, %B[%i, %j] : memref<8x12xi32>
    }
  }
  return
}
