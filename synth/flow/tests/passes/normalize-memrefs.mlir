// pipeline: builtin.module(normalize-memrefs)
func.func @permute(%x: i32) {
  %m = memref.alloc() : memref<16x64xi32, affine_map<(d0, d1) -> (d1, d0)>>
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 64 {
      affine.store %x, %m[%i, %j] : memref<16x64xi32, affine_map<(d0, d1) -> (d1, d0)>>
      %v = affine.load %m[%i, %j] : memref<16x64xi32, affine_map<(d0, d1) -> (d1, d0)>>
      "demo.use"(%v) : (i32) -> ()
    }
  }
  memref.dealloc %m : memref<16x64xi32, affine_map<(d0, d1) -> (d1, d0)>>
  return
}
// -----
func.func @shift(%x: f32) {
  %m = memref.alloc() : memref<14xf32, affine_map<(d0) -> (d0 + 2)>>
  affine.store %x, %m[7] : memref<14xf32, affine_map<(d0) -> (d0 + 2)>>
  affine.for %i = 0 to 10 {
    %v = affine.load %m[%i + 1] : memref<14xf32, affine_map<(d0) -> (d0 + 2)>>
    "demo.use"(%v) : (f32) -> ()
  }
  return
}
// -----
func.func @tiles() {
  %m = memref.alloc() : memref<64xf32, affine_map<(d0) -> (d0 floordiv 8, d0 mod 8)>>
  affine.for %i = 0 to 64 {
    %v = affine.load %m[%i] : memref<64xf32, affine_map<(d0) -> (d0 floordiv 8, d0 mod 8)>>
    "demo.use"(%v) : (f32) -> ()
  }
  return
}
// -----
func.func @strided(%i: index) -> f32 {
  %m = memref.alloc() : memref<4x8xf32, strided<[16, 2], offset: 3>>
  %v = affine.load %m[symbol(%i), 1] : memref<4x8xf32, strided<[16, 2], offset: 3>>
  return %v : f32
}
// -----
func.func @escapes() {
  %m = memref.alloc() : memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>
  "demo.use"(%m) : (memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>) -> ()
  %n = memref.alloc() : memref<4x8xf32>
  "demo.use"(%n) : (memref<4x8xf32>) -> ()
  return
}
// -----
func.func @dynamic(%n: index) -> f32 {
  %m = memref.alloc(%n) : memref<4x?xf32, affine_map<(d0, d1) -> (d1, d0)>>
  %v = affine.load %m[1, 1] : memref<4x?xf32, affine_map<(d0, d1) -> (d1, d0)>>
  return %v : f32
}
