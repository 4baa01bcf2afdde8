// Sobel edge filter: |horizontal gradient| + |vertical gradient|, saturated to 255.
// Pixels are 0 to 255; 32x32 pixels in, 30x30 out, the border is left away.
func.func @sobel(%image: memref<32x32xi16>, %edges: memref<30x30xi16>) {
  %zero = arith.constant 0 : i16
  %one = arith.constant 1 : i16
  %white = arith.constant 255 : i16
  affine.for %row = 0 to 30 {
    affine.for %column = 0 to 30 {
      // The eight neighbours; the pixel in the middle has weight 0 in both gradients.
      %north_west = affine.load %image[%row, %column] : memref<32x32xi16>
      %north = affine.load %image[%row, %column + 1] : memref<32x32xi16>
      %north_east = affine.load %image[%row, %column + 2] : memref<32x32xi16>
      %west = affine.load %image[%row + 1, %column] : memref<32x32xi16>
      %east = affine.load %image[%row + 1, %column + 2] : memref<32x32xi16>
      %south_west = affine.load %image[%row + 2, %column] : memref<32x32xi16>
      %south = affine.load %image[%row + 2, %column + 1] : memref<32x32xi16>
      %south_east = affine.load %image[%row + 2, %column + 2] : memref<32x32xi16>

      // Horizontal gradient: right column minus left column, the middle row counts twice.
      %right_corners = arith.addi %north_east, %south_east : i16
      %left_corners = arith.addi %north_west, %south_west : i16
      %east_twice = arith.shli %east, %one : i16
      %west_twice = arith.shli %west, %one : i16
      %right = arith.addi %right_corners, %east_twice : i16
      %left = arith.addi %left_corners, %west_twice : i16
      %horizontal = arith.subi %right, %left : i16

      // Vertical gradient: bottom row minus top row, the middle column counts twice.
      %bottom_corners = arith.addi %south_west, %south_east : i16
      %top_corners = arith.addi %north_west, %north_east : i16
      %south_twice = arith.shli %south, %one : i16
      %north_twice = arith.shli %north, %one : i16
      %bottom = arith.addi %bottom_corners, %south_twice : i16
      %top = arith.addi %top_corners, %north_twice : i16
      %vertical = arith.subi %bottom, %top : i16

      // Magnitude: the sum of the absolute values, saturated.
      %horizontal_negated = arith.subi %zero, %horizontal : i16
      %vertical_negated = arith.subi %zero, %vertical : i16
      %horizontal_size = arith.maxsi %horizontal, %horizontal_negated : i16
      %vertical_size = arith.maxsi %vertical, %vertical_negated : i16
      %magnitude = arith.addi %horizontal_size, %vertical_size : i16
      %saturated = arith.minsi %magnitude, %white : i16
      affine.store %saturated, %edges[%row, %column] : memref<30x30xi16>
    }
  }
  return
}
