// Matrix times vector in 27-bit integers. A product has 54 bits and 16 of them are added, so 58 bits never overflow.
func.func @matvec_i27(%matrix: memref<16x16xi27>, %vector: memref<16xi27>, %result: memref<16xi58>) {
  %zero = arith.constant 0 : i58
  affine.for %row = 0 to 16 {
    %sum = affine.for %column = 0 to 16 iter_args(%acc = %zero) -> (i58) {
      %coefficient = affine.load %matrix[%row, %column] : memref<16x16xi27>
      %element = affine.load %vector[%column] : memref<16xi27>
      %coefficient_wide = arith.extsi %coefficient : i27 to i58
      %element_wide = arith.extsi %element : i27 to i58
      %product = arith.muli %coefficient_wide, %element_wide : i58
      %next = arith.addi %acc, %product : i58
      affine.yield %next : i58
    }
    affine.store %sum, %result[%row] : memref<16xi58>
  }
  return
}
