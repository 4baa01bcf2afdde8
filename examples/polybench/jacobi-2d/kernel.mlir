// Averages of a cell and its four neighbours, from A to B and back in every step.
func.func @kernel_jacobi_2d(%A: memref<8x8xi32>, %B: memref<8x8xi32>) {
  %count = arith.constant 5 : i32
  affine.for %t = 0 to 2 {
    affine.for %i = 1 to 7 {
      affine.for %j = 1 to 7 {
        %here = affine.load %A[%i, %j] : memref<8x8xi32>
        %left = affine.load %A[%i, %j - 1] : memref<8x8xi32>
        %right = affine.load %A[%i, %j + 1] : memref<8x8xi32>
        %below = affine.load %A[%i + 1, %j] : memref<8x8xi32>
        %above = affine.load %A[%i - 1, %j] : memref<8x8xi32>
        %sum2 = arith.addi %here, %left : i32
        %sum3 = arith.addi %sum2, %right : i32
        %sum4 = arith.addi %sum3, %below : i32
        %sum5 = arith.addi %sum4, %above : i32
        %average = arith.divsi %sum5, %count : i32
        affine.store %average, %B[%i, %j] : memref<8x8xi32>
      }
    }
    affine.for %i = 1 to 7 {
      affine.for %j = 1 to 7 {
        %here = affine.load %B[%i, %j] : memref<8x8xi32>
        %left = affine.load %B[%i, %j - 1] : memref<8x8xi32>
        %right = affine.load %B[%i, %j + 1] : memref<8x8xi32>
        %below = affine.load %B[%i + 1, %j] : memref<8x8xi32>
        %above = affine.load %B[%i - 1, %j] : memref<8x8xi32>
        %sum2 = arith.addi %here, %left : i32
        %sum3 = arith.addi %sum2, %right : i32
        %sum4 = arith.addi %sum3, %below : i32
        %sum5 = arith.addi %sum4, %above : i32
        %average = arith.divsi %sum5, %count : i32
        affine.store %average, %A[%i, %j] : memref<8x8xi32>
      }
    }
  }
  return
}
