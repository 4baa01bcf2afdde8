// Parts, rows, other shapes and transposed memories, views of views and copies between them.
func.func private @sum(%m: memref<?xi16, strided<[?], offset: ?>>, %n: index) -> i16 {
  %zero = arith.constant 0 : i16
  %first = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = scf.for %i = %first to %n step %one iter_args(%s = %zero) -> (i16) {
    %x = memref.load %m[%i] : memref<?xi16, strided<[?], offset: ?>>
    %t = arith.addi %s, %x : i16
    scf.yield %t : i16
  }
  return %sum : i16
}
func.func @shows_parts(%a: memref<6x8xi16>, %b: memref<4x4xi16>, %at: i2) -> i16 {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %row = arith.index_castui %at : i2 to index
  %tile = memref.subview %a[%row, 1] [3, 4] [1, 2] : memref<6x8xi16> to memref<3x4xi16, strided<[8, 2], offset: ?>>
  %turned = memref.transpose %tile (d0, d1) -> (d1, d0) : memref<3x4xi16, strided<[8, 2], offset: ?>> to memref<4x3xi16, strided<[2, 8], offset: ?>>
  %corner = memref.subview %b[0, 1] [4, 3] [1, 1] : memref<4x4xi16> to memref<4x3xi16, strided<[4, 1], offset: 1>>
  memref.copy %turned, %corner : memref<4x3xi16, strided<[2, 8], offset: ?>> to memref<4x3xi16, strided<[4, 1], offset: 1>>
  %flat = memref.collapse_shape %b [[0, 1]] : memref<4x4xi16> into memref<16xi16>
  %boxes = memref.expand_shape %flat [[0, 1, 2]] output_shape [2, 4, 2] : memref<16xi16> into memref<2x4x2xi16>
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 3 {
      %x = affine.load %boxes[%i, %j, 0] : memref<2x4x2xi16>
      %y = affine.load %boxes[1 - %i, %j + 1, 1] : memref<2x4x2xi16>
      %z = arith.addi %x, %y : i16
      affine.store %z, %boxes[%i, %j, 1] : memref<2x4x2xi16>
    }
  }
  %diagonal = memref.reinterpret_cast %b to offset: [0], sizes: [4], strides: [5] : memref<4x4xi16> to memref<4xi16, strided<[5]>>
  %any = memref.cast %diagonal : memref<4xi16, strided<[5]>> to memref<?xi16, strided<[?], offset: ?>>
  %s = func.call @sum(%any, %four) : (memref<?xi16, strided<[?], offset: ?>>, index) -> i16
  %line = memref.subview %tile[2, 0] [1, 4] [1, 1] : memref<3x4xi16, strided<[8, 2], offset: ?>> to memref<4xi16, strided<[2], offset: ?>>
  %other = memref.cast %line : memref<4xi16, strided<[2], offset: ?>> to memref<?xi16, strided<[?], offset: ?>>
  %t = func.call @sum(%other, %two) : (memref<?xi16, strided<[?], offset: ?>>, index) -> i16
  %r = arith.xori %s, %t : i16
  return %r : i16
}
