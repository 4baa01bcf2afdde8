// pipeline: builtin.module(func.func(affine-scalrep))
func.func @forward(%x: f32) {
  %m = memref.alloc() : memref<10xf32>
  affine.for %i = 0 to 10 {
    affine.store %x, %m[%i] : memref<10xf32>
    %v = affine.load %m[%i] : memref<10xf32>
    %s = arith.addf %v, %v : f32
    "demo.use"(%s) : (f32) -> ()
  }
  memref.dealloc %m : memref<10xf32>
  return
}
// -----
func.func @forward_arg(%x: f32, %m: memref<10xf32>) {
  affine.for %i = 0 to 10 {
    affine.store %x, %m[%i] : memref<10xf32>
    %v = affine.load %m[%i] : memref<10xf32>
    %s = arith.addf %v, %v : f32
    affine.store %s, %m[%i] : memref<10xf32>
  }
  return
}
// -----
func.func @loads(%m: memref<10xf32>, %n: memref<10xf32>) {
  affine.for %i = 0 to 10 {
    %v = affine.load %m[%i] : memref<10xf32>
    %w = affine.load %m[%i] : memref<10xf32>
    %s = arith.addf %v, %w : f32
    affine.store %s, %n[%i] : memref<10xf32>
    %u = affine.load %m[%i] : memref<10xf32>
    affine.store %u, %n[%i] : memref<10xf32>
  }
  return
}
// -----
func.func @dead_store(%m: memref<10xf32>, %x: f32, %y: f32) {
  affine.store %x, %m[0] : memref<10xf32>
  affine.store %y, %m[0] : memref<10xf32>
  affine.store %x, %m[1] : memref<10xf32>
  %v = affine.load %m[1] : memref<10xf32>
  affine.store %y, %m[1] : memref<10xf32>
  affine.store %v, %m[2] : memref<10xf32>
  return
}
// -----
func.func @other_index(%m: memref<20xf32>, %x: f32) -> f32 {
  affine.store %x, %m[3] : memref<20xf32>
  affine.for %i = 4 to 10 {
    affine.store %x, %m[%i] : memref<20xf32>
  }
  %v = affine.load %m[3] : memref<20xf32>
  affine.for %i = 0 to 10 {
    affine.store %x, %m[%i * 2] : memref<20xf32>
  }
  %w = affine.load %m[3] : memref<20xf32>
  affine.for %i = 0 to 10 {
    affine.store %v, %m[%i + 1] : memref<20xf32>
  }
  %z = affine.load %m[3] : memref<20xf32>
  %s = arith.addf %w, %z : f32
  return %s : f32
}
// -----
func.func @conditional(%m: memref<20xf32>, %x: f32, %n: index) -> f32 {
  affine.store %x, %m[%n] : memref<20xf32>
  affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%n) {
    %v = affine.load %m[%n] : memref<20xf32>
    affine.store %v, %m[%n + 1] : memref<20xf32>
  }
  %w = affine.load %m[%n] : memref<20xf32>
  %y = affine.load %m[%n + 1] : memref<20xf32>
  %s = arith.addf %w, %y : f32
  return %s : f32
}
// -----
func.func @nests(%x: f32, %n: memref<10x10xf32>) {
  %m = memref.alloc() : memref<10x10xf32>
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 10 {
      affine.store %x, %m[%i, %j] : memref<10x10xf32>
      affine.for %k = 0 to 10 {
        %v = affine.load %m[%i, %j] : memref<10x10xf32>
        affine.store %v, %n[%i, %k] : memref<10x10xf32>
      }
    }
  }
  return
}
// -----
func.func @separate(%x: f32, %n: memref<10xf32>) {
  %m = memref.alloc() : memref<10xf32>
  affine.for %i = 0 to 10 {
    affine.store %x, %m[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %v = affine.load %m[%i] : memref<10xf32>
    affine.store %v, %n[%i] : memref<10xf32>
  }
  return
}
// -----
func.func @unknown(%m: memref<10xf32>, %x: f32, %i: index) -> f32 {
  affine.store %x, %m[0] : memref<10xf32>
  "demo.use"(%m) : (memref<10xf32>) -> ()
  %v = affine.load %m[0] : memref<10xf32>
  affine.store %x, %m[1] : memref<10xf32>
  memref.store %x, %m[%i] : memref<10xf32>
  %w = affine.load %m[1] : memref<10xf32>
  %s = arith.addf %v, %w : f32
  return %s : f32
}
// -----
func.func @alias(%m: memref<10xf32>, %n: memref<10xf32>, %x: f32, %y: f32) -> f32 {
  affine.store %x, %m[0] : memref<10xf32>
  affine.store %y, %n[0] : memref<10xf32>
  %v = affine.load %m[0] : memref<10xf32>
  return %v : f32
}
