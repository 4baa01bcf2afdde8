// Correlation of a 16 x 16 image with 3 x 3 weights, where the weights fit: 14 x 14 results.
func.func @conv3x3_16(%image: memref<16x16xi32>, %weights: memref<3x3xi32>, %result: memref<14x14xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %row = 0 to 14 {
    affine.for %column = 0 to 14 {
      %total = affine.for %r = 0 to 3 iter_args(%rows = %zero) -> (i32) {
        %line = affine.for %c = 0 to 3 iter_args(%partial = %rows) -> (i32) {
          %pixel = affine.load %image[%row + %r, %column + %c] : memref<16x16xi32>
          %weight = affine.load %weights[%r, %c] : memref<3x3xi32>
          %product = arith.muli %pixel, %weight : i32
          %next = arith.addi %partial, %product : i32
          affine.yield %next : i32
        }
        affine.yield %line : i32
      }
      affine.store %total, %result[%row, %column] : memref<14x14xi32>
    }
  }
  return
}
