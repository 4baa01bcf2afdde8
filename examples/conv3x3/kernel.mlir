// Two-dimensional convolution of a 32x32 image with a 3x3 kernel, without padding: the result is 30x30.
func.func @conv3x3(%image: memref<32x32xi32>, %weights: memref<3x3xi32>, %result: memref<30x30xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %row = 0 to 30 {
    affine.for %column = 0 to 30 {
      %sum = affine.for %r = 0 to 3 iter_args(%row_acc = %zero) -> (i32) {
        %row_sum = affine.for %c = 0 to 3 iter_args(%acc = %row_acc) -> (i32) {
          %pixel = affine.load %image[%row + %r, %column + %c] : memref<32x32xi32>
          %weight = affine.load %weights[%r, %c] : memref<3x3xi32>
          %product = arith.muli %pixel, %weight : i32
          %next = arith.addi %acc, %product : i32
          affine.yield %next : i32
        }
        affine.yield %row_sum : i32
      }
      affine.store %sum, %result[%row, %column] : memref<30x30xi32>
    }
  }
  return
}
