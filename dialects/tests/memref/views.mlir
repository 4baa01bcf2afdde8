func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.subview %a[0] [2, 4] [1, 1] : memref<?x8xf32> to memref<2x4xf32, strided<[8, 1]>>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.subview %a[0, 0] [2, 4] [1, 1] : memref<?x8xf32> to memref<2x4xf32, strided<[4, 1]>>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.subview %a[0, 0] [2, 4] [1, 1] : memref<?x8xf32> to memref<2x5xf32, strided<[8, 1]>>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.subview %a[0, 0] [2, 4] [1, 1] : memref<?x8xf32> to memref<2x4xi32, strided<[8, 1]>>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.subview %a[0, 0] [2, 4] [1, 1] : memref<?x8xf32> to memref<2x4xf32, strided<[8, 1]>, 3>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.subview %a[0, 0] [2, 4] [1, 1] : memref<?x8xf32> to memref<2x4x1x1xf32>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = "memref.subview"(%a) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, -9223372036854775808>, static_sizes = array<i64: 1, 1>, static_strides = array<i64: 1, 1>}> : (memref<?x8xf32>) -> memref<1x1xf32, strided<[8, 1]>>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.subview %a[-1, 0] [2, 4] [1, 1] : memref<?x8xf32> to memref<2x4xf32, strided<[8, 1], offset: -8>>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.subview %a[0, 0] [-2, 4] [1, 1] : memref<?x8xf32> to memref<2x4xf32, strided<[8, 1]>>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.subview %a[0, 0] [2, 4, 4] [1, 1] : memref<?x8xf32> to memref<2x4xf32, strided<[8, 1]>>
  return
}
// -----
func.func @f(%a: memref<?x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>>, %n: index) {
  %0 = memref.subview %a[0, 0] [2, 4] [1, 1] : memref<?x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1)>> to memref<2x4xf32, strided<[8, 1]>>
  return
}
// -----
func.func @f(%a: memref<2048xi8>, %n: index) {
  %0 = memref.view %a[%n][] : memref<2048xi8> to memref<?x4xf32>
  return
}
// -----
func.func @f(%a: memref<2048xi8>, %n: index) {
  %0 = memref.view %a[%n][%n] : memref<2048xi8> to memref<4x4xf32>
  return
}
// -----
func.func @f(%a: memref<2048xi32>, %n: index) {
  %0 = memref.view %a[%n][] : memref<2048xi32> to memref<4x4xf32>
  return
}
// -----
func.func @f(%a: memref<2048xi8, strided<[2]>>, %n: index) {
  %0 = memref.view %a[%n][] : memref<2048xi8, strided<[2]>> to memref<4x4xf32>
  return
}
// -----
func.func @f(%a: memref<2048xi8>, %n: index) {
  %0 = memref.view %a[%n][] : memref<2048xi8> to memref<4x4xf32, strided<[8, 1]>>
  return
}
// -----
func.func @f(%a: memref<2048xi8, 1>, %n: index) {
  %0 = memref.view %a[%n][] : memref<2048xi8, 1> to memref<4x4xf32>
  return
}
// -----
func.func @f(%a: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %a to offset: [0, 0], sizes: [10], strides: [1] : memref<?xf32> to memref<10xf32>
  return
}
// -----
func.func @f(%a: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %a to offset: [0], sizes: [10, 10], strides: [1] : memref<?xf32> to memref<10xf32>
  return
}
// -----
func.func @f(%a: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %a to offset: [0], sizes: [10], strides: [1] : memref<?xf32> to memref<10xi32>
  return
}
// -----
func.func @f(%a: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %a to offset: [0], sizes: [10], strides: [1] : memref<?xf32> to memref<10xf32, 2>
  return
}
// -----
func.func @f(%a: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %a to offset: [0], sizes: [11], strides: [1] : memref<?xf32> to memref<10xf32>
  return
}
// -----
func.func @f(%a: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %a to offset: [1], sizes: [10], strides: [1] : memref<?xf32> to memref<10xf32, strided<[1], offset: 2>>
  return
}
// -----
func.func @f(%a: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %a to offset: [1], sizes: [10], strides: [2] : memref<?xf32> to memref<10xf32, strided<[1], offset: 1>>
  return
}
// -----
func.func @f(%a: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %a to offset: [%n], sizes: [10], strides: [1] : memref<?xf32> to memref<10xf32>
  return
}
// -----
func.func @f(%a: memref<?xf32>, %n: index) {
  %0 = memref.reinterpret_cast %a to offset: [0], sizes: [10], strides: [1] : memref<?xf32> to memref<10xf32, affine_map<(d0) -> (d0 floordiv 2)>>
  return
}
// -----
func.func @f(%a: memref<*xf32>, %n: memref<2xindex>) {
  %0 = memref.reshape %a(%n) : (memref<*xf32>, memref<2xindex>) -> memref<?xf32>
  return
}
// -----
func.func @f(%a: memref<*xf32>, %n: memref<2xindex>) {
  %0 = memref.reshape %a(%n) : (memref<*xf32>, memref<2xindex>) -> memref<?x?xi32>
  return
}
// -----
func.func @f(%a: memref<*xf32>, %n: memref<?xindex>) {
  %0 = memref.reshape %a(%n) : (memref<*xf32>, memref<?xindex>) -> memref<?x?xf32>
  return
}
// -----
func.func @f(%a: memref<?xf32, strided<[2]>>, %n: memref<1xindex>) {
  %0 = memref.reshape %a(%n) : (memref<?xf32, strided<[2]>>, memref<1xindex>) -> memref<?xf32>
  return
}
// -----
func.func @f(%a: memref<?xf32>, %n: memref<1xindex>) {
  %0 = memref.reshape %a(%n) : (memref<?xf32>, memref<1xindex>) -> memref<?xf32, strided<[2]>>
  return
}
// -----
func.func @f(%a: memref<?xf32>, %n: memref<1xf32>) {
  %0 = memref.reshape %a(%n) : (memref<?xf32>, memref<1xf32>) -> memref<?xf32>
  return
}
// -----
func.func @f(%a: memref<?xf32>, %n: memref<1x1xindex>) {
  %0 = memref.reshape %a(%n) : (memref<?xf32>, memref<1x1xindex>) -> memref<?xf32>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.expand_shape %a [[0], [2]] output_shape [%n, 4, 8] : memref<?x8xf32> into memref<?x4x8xf32>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.expand_shape %a [[0, 1]] output_shape [%n, 4, 8] : memref<?x8xf32> into memref<?x4x8xf32>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.expand_shape %a [[0, 1], [2]] output_shape [%n, %n, 8] : memref<?x8xf32> into memref<?x?x8xf32>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.expand_shape %a [[0], [1, 2]] output_shape [%n, 2, 8] : memref<?x8xf32> into memref<?x2x8xf32>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.expand_shape %a [[0], [1, 2]] output_shape [%n, 2] : memref<?x8xf32> into memref<?x2x4xf32>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.expand_shape %a [[0], [1, 2]] output_shape [%n, 4, 2] : memref<?x8xf32> into memref<?x2x4xf32>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.expand_shape %a [[0], [1, 2]] output_shape [%n, 2, 4] : memref<?x8xf32> into memref<?x2x4xf32, strided<[16, 4, 1]>>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.expand_shape %a [[0], [1]] output_shape [%n, 8] : memref<?x8xf32> into memref<?xf32>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %0 = memref.expand_shape %a [[0, 2], [1]] output_shape [%n, 8, 1] : memref<?x8xf32> into memref<?x8x1xf32>
  return
}
// -----
func.func @f(%a: memref<?x4x8xf32>, %n: index) {
  %0 = memref.collapse_shape %a [[0, 1], [2]] : memref<?x4x8xf32> into memref<?x9xf32>
  return
}
// -----
func.func @f(%a: memref<?x4x8xf32>, %n: index) {
  %0 = memref.collapse_shape %a [[0], [2]] : memref<?x4x8xf32> into memref<?x8xf32>
  return
}
// -----
func.func @f(%a: memref<?x4x8xf32, strided<[64, 16, 1]>>, %n: index) {
  %0 = memref.collapse_shape %a [[0], [1, 2]] : memref<?x4x8xf32, strided<[64, 16, 1]>> into memref<?x32xf32, strided<[64, 1]>>
  return
}
// -----
func.func @f(%a: memref<?x4x8xf32>, %n: index) {
  %0 = memref.collapse_shape %a [[0, 1, 2]] : memref<?x4x8xf32> into memref<32xf32>
  return
}
// -----
func.func @f(%a: memref<?x4x8xf32>, %n: index) {
  %0 = memref.collapse_shape %a [[0, 1, 2]] : memref<?x4x8xf32> into memref<?x1x1x1xf32>
  return
}
// -----
func.func @f(%a: memref<?x4x8xf32>, %n: index) {
  %0 = memref.collapse_shape %a [[0, 1], [2]] : memref<?x4x8xf32> into memref<?xf32>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %7 = memref.transpose %a (i, j) -> (j, i) : memref<?x8xf32> to memref<8x?xf32>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %7 = memref.transpose %a (i, j) -> (i, i) : memref<?x8xf32> to memref<8x?xf32>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %7 = memref.transpose %a (i, j, k) -> (i, j, k) : memref<?x8xf32> to memref<8x?xf32>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %a : memref<?x8xf32> -> memref<1xf32>, index, index, index, index, index
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %base, %offset, %sizes, %strides = memref.extract_strided_metadata %a : memref<?x8xf32> -> memref<f32>, index, index, index
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %s = memref.expand_shape %a [[0, 1], [2, 3]] output_shape [%n, 4, 2] : memref<?x8xf32> into memref<?x4x8xf32>
  return
}
// -----
func.func @f(%a: memref<?x8xf32>, %n: index) {
  %s = memref.subview %a[x, 0] [1, 1] [1, 1] : memref<?x8xf32> to memref<?x4x8xf32>
  return
}
