// C := alpha A B + beta C.
func.func @gemm_in_parallel(%alpha: i32, %beta: i32, %C: memref<8x6xi32>, %A: memref<8x4xi32>,
                       %B: memref<4x6xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %c = affine.load %C[%i, %j] : memref<8x6xi32>
      %scaled = arith.muli %c, %beta : i32
      affine.store %scaled, %C[%i, %j] : memref<8x6xi32>
    }
    affine.for %k = 0 to 4 {
      affine.for %j = 0 to 6 {
        %a = affine.load %A[%i, %k] : memref<8x4xi32>
        %scaled = arith.muli %alpha, %a : i32
        %b = affine.load %B[%k, %j] : memref<4x6xi32>
        %product = arith.muli %scaled, %b : i32
        %old = affine.load %C[%i, %j] : memref<8x6xi32>
        %new = arith.addi %old, %product : i32
        affine.store %new, %C[%i, %j] : memref<8x6xi32>
      }
    }
  }
  return
}
