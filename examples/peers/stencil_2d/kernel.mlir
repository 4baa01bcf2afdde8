// The first row of a 3 x 3 stencil on a 30 x 30 image: 28 results of 9 taps, 252 iterations of the innermost loop.
func.func @stencil_2d(%image: memref<30x30xi32>, %weights: memref<3x3xi32>, %result: memref<28xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %column = 0 to 28 {
    %total = affine.for %r = 0 to 3 iter_args(%rows = %zero) -> (i32) {
      %line = affine.for %c = 0 to 3 iter_args(%partial = %rows) -> (i32) {
        %weight = affine.load %weights[%r, %c] : memref<3x3xi32>
        %pixel = affine.load %image[%r, %column + %c] : memref<30x30xi32>
        %product = arith.muli %weight, %pixel : i32
        %next = arith.addi %partial, %product : i32
        affine.yield %next : i32
      }
      affine.yield %line : i32
    }
    affine.store %total, %result[%column] : memref<28xi32>
  }
  return
}
