// Layouts that say nothing, and those that cannot be.
func.func private @f(memref<4xi32, strided<[0]>>)
// -----
func.func private @f(memref<4x4xi32, strided<[4, 0], offset: ?>>)
// -----
func.func private @f() attributes {a = strided<[0, 1]>}
// -----
func.func private @f(memref<4xi32, strided<[-1], offset: -2>>)
// -----
func.func @f(%a: memref<3xf32, strided<[1]>>) {
  %0 = memref.expand_shape %a [[0, 1]] output_shape [3, 1] : memref<3xf32, strided<[1]>> into memref<3x1xf32>
  return
}
// -----
func.func @f(%a: memref<3xf32, strided<[1]>>) {
  %0 = memref.expand_shape %a [[0]] output_shape [3] : memref<3xf32, strided<[1]>> into memref<3xf32, strided<[1]>>
  return
}
// -----
func.func @f(%a: memref<3xf32, strided<[1], offset: 1>>) {
  %0 = memref.collapse_shape %a [[0]] : memref<3xf32, strided<[1], offset: 1>> into memref<3xf32, strided<[1], offset: 1>>
  return
}
// -----
func.func @f(%a: memref<?x1xf32>, %n: index) {
  %0 = memref.expand_shape %a [[0, 1, 2], [3]] output_shape [2, %n, 0, 1] : memref<?x1xf32> into memref<2x?x0x1xf32>
  return
}
// -----
func.func @f(%a: memref<1x0x?x4xf32>) {
  %0 = memref.collapse_shape %a [[0], [1, 2], [3]] : memref<1x0x?x4xf32> into memref<1x?x4xf32>
  return
}
// -----
func.func @f(%a: memref<1x0x?x4xf32>) {
  %0 = memref.collapse_shape %a [[0], [1, 2], [3]] : memref<1x0x?x4xf32> into memref<1x0x4xf32>
  return
}
// -----
func.func @f(%a: memref<8xi8, strided<[1]>>, %i: index) {
  %0 = memref.view %a[%i][] : memref<8xi8, strided<[1]>> to memref<2xi32, strided<[1]>>
  return
}
// -----
func.func @f(%a: memref<8xi8, strided<[1]>>, %s: memref<1xindex>) {
  %0 = memref.reshape %a(%s) : (memref<8xi8, strided<[1]>>, memref<1xindex>) -> memref<?xi8, strided<[1]>>
  %1 = memref.realloc %a : memref<8xi8, strided<[1]>> to memref<16xi8>
  return
}
// -----
func.func @f(%a: memref<8xi8, strided<[2]>>, %s: memref<1xindex>) {
  %0 = memref.reshape %a(%s) : (memref<8xi8, strided<[2]>>, memref<1xindex>) -> memref<?xi8>
  return
}
// -----
func.func @f(%a: memref<4xf32>, %i: index) {
  "memref.prefetch"(%a, %i) <{isDataCache = true, isWrite = false, localityHint = 3 : i32}> : (memref<4xf32>, index) -> ()
  return
}
// -----
func.func private @f(memref<4x!foo.bar>)
// -----
func.func private @f(memref<*x!foo<bar>>)
// -----
func.func private @f(memref<4xmemref<2x!foo.bar>>)
// -----
func.func private @f(tensor<4x!foo.bar>, tensor<*x!foo<bar>>, tuple<!foo.bar>)
