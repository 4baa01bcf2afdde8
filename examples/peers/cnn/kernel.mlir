// Two channels of 4 x 4 taps make each of ten maps of 10 x 10, for five images: 160000 products.
func.func @cnn(%images: memref<5x2x13x13xi32>, %weights: memref<10x2x4x4xi32>, %maps: memref<5x10x10x10xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %image = 0 to 5 {
    affine.for %map = 0 to 10 {
      affine.for %row = 0 to 10 {
        affine.for %column = 0 to 10 {
          affine.store %zero, %maps[%image, %map, %row, %column] : memref<5x10x10x10xi32>
          affine.for %channel = 0 to 2 {
            affine.for %r = 0 to 4 {
              affine.for %c = 0 to 4 {
                %old = affine.load %maps[%image, %map, %row, %column] : memref<5x10x10x10xi32>
                %pixel = affine.load %images[%image, %channel, %row + %r, %column + %c] : memref<5x2x13x13xi32>
                %weight = affine.load %weights[%map, %channel, %r, %c] : memref<10x2x4x4xi32>
                %product = arith.muli %pixel, %weight : i32
                %new = arith.addi %old, %product : i32
                affine.store %new, %maps[%image, %map, %row, %column] : memref<5x10x10x10xi32>
              }
            }
          }
        }
      }
    }
  }
  return
}
