// Matrix times vector in 96-bit integers, wrapping at 96 bits and accumulating in the memory of the result.
func.func @matvec_i96(%matrix: memref<8x8xi96>, %vector: memref<8xi96>, %result: memref<8xi96>) {
  %zero = arith.constant 0 : i96
  affine.for %row = 0 to 8 {
    affine.store %zero, %result[%row] : memref<8xi96>
    affine.for %column = 0 to 8 {
      %coefficient = affine.load %matrix[%row, %column] : memref<8x8xi96>
      %element = affine.load %vector[%column] : memref<8xi96>
      %acc = affine.load %result[%row] : memref<8xi96>
      %product = arith.muli %coefficient, %element : i96
      %sum = arith.addi %acc, %product : i96
      affine.store %sum, %result[%row] : memref<8xi96>
    }
  }
  return
}
