// Averages of a cell and its eight neighbours, in place: the cells before it are already new.
func.func @kernel_seidel_2d(%A: memref<8x8xi32>) {
  %count = arith.constant 9 : i32
  affine.for %t = 0 to 2 {
    affine.for %i = 1 to 7 {
      affine.for %j = 1 to 7 {
        %above_left = affine.load %A[%i - 1, %j - 1] : memref<8x8xi32>
        %above_middle = affine.load %A[%i - 1, %j] : memref<8x8xi32>
        %sum2 = arith.addi %above_left, %above_middle : i32
        %above_right = affine.load %A[%i - 1, %j + 1] : memref<8x8xi32>
        %sum3 = arith.addi %sum2, %above_right : i32
        %here_left = affine.load %A[%i, %j - 1] : memref<8x8xi32>
        %sum4 = arith.addi %sum3, %here_left : i32
        %here_middle = affine.load %A[%i, %j] : memref<8x8xi32>
        %sum5 = arith.addi %sum4, %here_middle : i32
        %here_right = affine.load %A[%i, %j + 1] : memref<8x8xi32>
        %sum6 = arith.addi %sum5, %here_right : i32
        %below_left = affine.load %A[%i + 1, %j - 1] : memref<8x8xi32>
        %sum7 = arith.addi %sum6, %below_left : i32
        %below_middle = affine.load %A[%i + 1, %j] : memref<8x8xi32>
        %sum8 = arith.addi %sum7, %below_middle : i32
        %below_right = affine.load %A[%i + 1, %j + 1] : memref<8x8xi32>
        %sum9 = arith.addi %sum8, %below_right : i32
        %average = arith.divsi %sum9, %count : i32
        affine.store %average, %A[%i, %j] : memref<8x8xi32>
      }
    }
  }
  return
}
