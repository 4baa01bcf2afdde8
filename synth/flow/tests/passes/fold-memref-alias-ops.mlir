// pipeline: builtin.module(fold-memref-alias-ops)
func.func @subview(%m: memref<12x32xf32>, %i: index, %j: index, %x: index) -> f32 {
  %0 = memref.subview %m[%i, 3] [4, 4] [2, %x] : memref<12x32xf32> to memref<4x4xf32, strided<[64, ?], offset: ?>>
  %1 = memref.load %0[%j, %x] : memref<4x4xf32, strided<[64, ?], offset: ?>>
  memref.store %1, %0[%x, %x] : memref<4x4xf32, strided<[64, ?], offset: ?>>
  return %1 : f32
}
// -----
func.func @rank_reducing(%m: memref<12x32xf32>, %i: index, %j: index) -> f32 {
  %0 = memref.subview %m[%i, 3] [1, 8] [1, 1] : memref<12x32xf32> to memref<8xf32, strided<[1], offset: ?>>
  %1 = memref.load %0[%j] : memref<8xf32, strided<[1], offset: ?>>
  memref.store %1, %0[%i] : memref<8xf32, strided<[1], offset: ?>>
  return %1 : f32
}
// -----
func.func @static(%m: memref<12x32xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.subview %m[2, 3] [4, 8] [1, 1] : memref<12x32xf32> to memref<4x8xf32, strided<[32, 1], offset: 67>>
  %1 = memref.load %0[%c0, %c1] : memref<4x8xf32, strided<[32, 1], offset: 67>>
  return %1 : f32
}
// -----
func.func @affine(%m: memref<12x32xf32>, %i: index, %j: index) {
  %0 = memref.subview %m[%i, 3] [4, 4] [2, 1] : memref<12x32xf32> to memref<4x4xf32, strided<[64, 1], offset: ?>>
  affine.for %k = 0 to 4 {
    %1 = affine.load %0[%k, %k] : memref<4x4xf32, strided<[64, 1], offset: ?>>
    affine.store %1, %0[%k mod 2, 3 - %k] : memref<4x4xf32, strided<[64, 1], offset: ?>>
  }
  return
}
// -----
func.func @expand(%m: memref<12x32xf32>, %i: index, %j: index, %k: index) -> f32 {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [3, 4, 32] : memref<12x32xf32> into memref<3x4x32xf32>
  %1 = memref.load %0[%i, %j, %k] : memref<3x4x32xf32>
  memref.store %1, %0[%j, %i, %k] : memref<3x4x32xf32>
  affine.for %l = 0 to 3 {
    %2 = affine.load %0[%l, %l, 2 * %l] : memref<3x4x32xf32>
    affine.store %2, %0[%l, 0, %l + 1] : memref<3x4x32xf32>
  }
  return %1 : f32
}
// -----
func.func @collapse(%m: memref<3x4x32xf32>, %i: index, %j: index, %k: index) -> f32 {
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<3x4x32xf32> into memref<12x32xf32>
  %1 = memref.load %0[%i, %j] : memref<12x32xf32>
  memref.store %1, %0[%j, %i] : memref<12x32xf32>
  affine.for %l = 0 to 3 {
    %2 = affine.load %0[%l + 4, 2 * %l] : memref<12x32xf32>
    affine.store %2, %0[%l, %l + 1] : memref<12x32xf32>
  }
  return %1 : f32
}
// -----
func.func @chain(%m: memref<12x32xf32>, %i: index, %j: index) -> f32 {
  %0 = memref.subview %m[%i, 3] [4, 8] [1, 1] : memref<12x32xf32> to memref<4x8xf32, strided<[32, 1], offset: ?>>
  %1 = memref.subview %0[1, %j] [2, 4] [1, 2] : memref<4x8xf32, strided<[32, 1], offset: ?>> to memref<2x4xf32, strided<[32, 2], offset: ?>>
  %2 = memref.load %1[%i, %j] : memref<2x4xf32, strided<[32, 2], offset: ?>>
  return %2 : f32
}
// -----
func.func @one(%m: memref<1x1xf32>, %i: index) -> f32 {
  %0 = memref.collapse_shape %m [] : memref<1x1xf32> into memref<f32>
  %1 = memref.load %0[] : memref<f32>
  %2 = memref.expand_shape %0 [] output_shape [1, 1, 1] : memref<f32> into memref<1x1x1xf32>
  %3 = memref.load %2[%i, %i, %i] : memref<1x1x1xf32>
  %4 = arith.addf %1, %3 : f32
  return %4 : f32
}
