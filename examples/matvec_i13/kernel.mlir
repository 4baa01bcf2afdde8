// Matrix times vector in 13-bit integers. A product has 26 bits and 16 of them are added, so 30 bits never overflow.
func.func @matvec_i13(%matrix: memref<16x16xi13>, %vector: memref<16xi13>, %result: memref<16xi30>) {
  %zero = arith.constant 0 : i30
  affine.for %row = 0 to 16 {
    %sum = affine.for %column = 0 to 16 iter_args(%acc = %zero) -> (i30) {
      %coefficient = affine.load %matrix[%row, %column] : memref<16x16xi13>
      %element = affine.load %vector[%column] : memref<16xi13>
      %coefficient_wide = arith.extsi %coefficient : i13 to i30
      %element_wide = arith.extsi %element : i13 to i30
      %product = arith.muli %coefficient_wide, %element_wide : i30
      %next = arith.addi %acc, %product : i30
      affine.yield %next : i30
    }
    affine.store %sum, %result[%row] : memref<16xi30>
  }
  return
}
