// pipeline: builtin.module(expand-strided-metadata)
func.func @subview(%m: memref<12x32xf32>, %i: index, %j: index) -> memref<4x4xf32, strided<[64, ?], offset: ?>> {
  %0 = memref.subview %m[%i, 3] [4, 4] [2, %j] : memref<12x32xf32> to memref<4x4xf32, strided<[64, ?], offset: ?>>
  return %0 : memref<4x4xf32, strided<[64, ?], offset: ?>>
}
// -----
func.func @static(%m: memref<12x32xf32>) -> memref<4x8xf32, strided<[32, 1], offset: 67>> {
  %0 = memref.subview %m[2, 3] [4, 8] [1, 1] : memref<12x32xf32> to memref<4x8xf32, strided<[32, 1], offset: 67>>
  return %0 : memref<4x8xf32, strided<[32, 1], offset: 67>>
}
// -----
func.func @rank_reducing(%m: memref<12x32xf32>, %i: index) -> memref<8xf32, strided<[1], offset: ?>> {
  %0 = memref.subview %m[%i, 3] [1, 8] [1, 1] : memref<12x32xf32> to memref<8xf32, strided<[1], offset: ?>>
  return %0 : memref<8xf32, strided<[1], offset: ?>>
}
// -----
func.func @expand(%m: memref<12x32xf32>) -> memref<3x4x32xf32> {
  %0 = memref.expand_shape %m [[0, 1], [2]] output_shape [3, 4, 32] : memref<12x32xf32> into memref<3x4x32xf32>
  return %0 : memref<3x4x32xf32>
}
// -----
func.func @collapse(%m: memref<3x4x32xf32>) -> memref<12x32xf32> {
  %0 = memref.collapse_shape %m [[0, 1], [2]] : memref<3x4x32xf32> into memref<12x32xf32>
  return %0 : memref<12x32xf32>
}
// -----
func.func @dynamic(%m: memref<?x?xf32>, %i: index, %n: index) -> memref<?x4xf32, strided<[?, 1], offset: ?>> {
  %0 = memref.subview %m[%i, 0] [%n, 4] [1, 1] : memref<?x?xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  return %0 : memref<?x4xf32, strided<[?, 1], offset: ?>>
}
// -----
func.func @metadata(%m: memref<12x32xf32>, %i: index) -> (memref<f32>, index, index, index) {
  %0 = memref.subview %m[%i, 3] [1, 8] [1, 1] : memref<12x32xf32> to memref<8xf32, strided<[1], offset: ?>>
  %b, %o, %s, %t = memref.extract_strided_metadata %0 : memref<8xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
  return %b, %o, %s, %t : memref<f32>, index, index, index
}
// -----
func.func @pointer(%m: memref<12x32xf32>, %i: index) -> index {
  %0 = memref.subview %m[%i, 3] [1, 8] [1, 1] : memref<12x32xf32> to memref<8xf32, strided<[1], offset: ?>>
  %1 = memref.extract_aligned_pointer_as_index %0 : memref<8xf32, strided<[1], offset: ?>> -> index
  return %1 : index
}
