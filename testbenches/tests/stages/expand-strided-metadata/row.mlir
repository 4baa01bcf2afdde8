// passes: expand-strided-metadata

// The row is a cast of the base buffer.
func.func @kernel(%a: memref<4x8xi32>, %b: memref<8xi32>, %n: index) {
  %row = memref.subview %a[%n, 0] [1, 8] [1, 1] : memref<4x8xi32> to memref<8xi32, strided<[1], offset: ?>>
  affine.for %i = 0 to 8 {
    %x = affine.load %row[%i] : memref<8xi32, strided<[1], offset: ?>>
    affine.store %x, %b[%i] : memref<8xi32>
  }
  return
}

//> #map = affine_map<()[s0] -> (s0 * 8)>
//> module {
//>   func.func @kernel(%arg0: memref<4x8xi32>, %arg1: memref<8xi32>, %arg2: index) {
//>     %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<4x8xi32> -> memref<i32>, index, index, index, index, index
//>     %0 = affine.apply #map()[%arg2]
//>     %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%0], sizes: [8], strides: [1] : memref<i32> to memref<8xi32, strided<[1], offset: ?>>
//>     affine.for %arg3 = 0 to 8 {
//>       %1 = affine.load %reinterpret_cast[%arg3] : memref<8xi32, strided<[1], offset: ?>>
//>       affine.store %1, %arg1[%arg3] : memref<8xi32>
//>     }
//>     return
//>   }
//> }
