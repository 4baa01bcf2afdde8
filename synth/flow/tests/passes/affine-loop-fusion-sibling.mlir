// pipeline: builtin.module(func.func(affine-loop-fusion{mode=sibling}))
func.func @same(%x: f32, %out: memref<10xf32>) {
  %m = memref.alloc() : memref<10xf32>
  affine.for %i = 0 to 10 {
    affine.store %x, %m[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %v = affine.load %m[%i] : memref<10xf32>
    affine.store %v, %out[%i] : memref<10xf32>
  }
  return
}
// -----
func.func @chain(%a: memref<10xf32>, %out: memref<10xf32>) {
  %m = memref.alloc() : memref<10xf32>
  %n = memref.alloc() : memref<10xf32>
  affine.for %i = 0 to 10 {
    %v = affine.load %a[%i] : memref<10xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %m[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %v = affine.load %m[%i] : memref<10xf32>
    %w = arith.mulf %v, %v : f32
    affine.store %w, %n[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %v = affine.load %n[%i] : memref<10xf32>
    affine.store %v, %out[%i] : memref<10xf32>
  }
  return
}
// -----
func.func @two_dims(%a: memref<10x20xf32>, %out: memref<10x20xf32>) {
  %m = memref.alloc() : memref<10x20xf32>
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 20 {
      %v = affine.load %a[%i, %j] : memref<10x20xf32>
      %w = arith.addf %v, %v : f32
      affine.store %w, %m[%i, %j] : memref<10x20xf32>
    }
  }
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 20 {
      %v = affine.load %m[%i, %j] : memref<10x20xf32>
      affine.store %v, %out[%i, %j] : memref<10x20xf32>
    }
  }
  return
}
// -----
func.func @argument(%x: f32, %m: memref<10xf32>, %out: memref<10xf32>) {
  affine.for %i = 0 to 10 {
    affine.store %x, %m[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %v = affine.load %m[%i] : memref<10xf32>
    affine.store %v, %out[%i] : memref<10xf32>
  }
  return
}
// -----
func.func @siblings(%a: memref<10xf32>, %p: memref<10xf32>, %q: memref<10xf32>) {
  affine.for %i = 0 to 10 {
    %v = affine.load %a[%i] : memref<10xf32>
    affine.store %v, %p[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %v = affine.load %a[%i] : memref<10xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %q[%i] : memref<10xf32>
  }
  return
}
// -----
func.func @argument2(%a: memref<10x20xf32>, %m: memref<10x20xf32>, %out: memref<10x20xf32>) {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 20 {
      %v = affine.load %a[%i, %j] : memref<10x20xf32>
      affine.store %v, %m[%i, %j] : memref<10x20xf32>
    }
  }
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 20 {
      %v = affine.load %m[%i, %j] : memref<10x20xf32>
      affine.store %v, %out[%i, %j] : memref<10x20xf32>
    }
  }
  return
}
// -----
func.func @siblings2(%a: memref<10x20xf32>, %p: memref<10x20xf32>, %q: memref<10x20xf32>, %x: f32) {
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 20 {
      %v = affine.load %a[%i, %j] : memref<10x20xf32>
      affine.store %v, %p[%i, %j] : memref<10x20xf32>
    }
  }
  %y = arith.addf %x, %x : f32
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 20 {
      %v = affine.load %a[%i, %j] : memref<10x20xf32>
      %w = arith.addf %v, %y : f32
      affine.store %w, %q[%i, %j] : memref<10x20xf32>
    }
  }
  return
}
// -----
func.func @two_consumers(%a: memref<10xf32>, %p: memref<10xf32>, %q: memref<10xf32>) {
  %m = memref.alloc() : memref<10xf32>
  affine.for %i = 0 to 10 {
    %v = affine.load %a[%i] : memref<10xf32>
    affine.store %v, %m[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %v = affine.load %m[%i] : memref<10xf32>
    affine.store %v, %p[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %v = affine.load %m[%i] : memref<10xf32>
    affine.store %v, %q[%i] : memref<10xf32>
  }
  return
}
// -----
func.func @dynamic(%a: memref<?xf32>, %m: memref<?xf32>, %p: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %v = affine.load %a[%i] : memref<?xf32>
    affine.store %v, %m[%i] : memref<?xf32>
  }
  affine.for %i = 0 to %n {
    %v = affine.load %m[%i] : memref<?xf32>
    affine.store %v, %p[%i] : memref<?xf32>
  }
  return
}
// -----
func.func @unrelated(%a: memref<10xf32>, %m: memref<10xf32>, %p: memref<10xf32>, %x: f32) {
  affine.for %i = 0 to 10 {
    affine.store %x, %m[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    affine.store %x, %p[%i] : memref<10xf32>
  }
  return
}
// -----
func.func @two_producers(%a: memref<10xf32>, %p: memref<10xf32>) {
  %m = memref.alloc() : memref<10xf32>
  %n = memref.alloc() : memref<10xf32>
  affine.for %i = 0 to 10 {
    %v = affine.load %a[%i] : memref<10xf32>
    affine.store %v, %m[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %v = affine.load %a[%i] : memref<10xf32>
    %w = arith.mulf %v, %v : f32
    affine.store %w, %n[%i] : memref<10xf32>
  }
  affine.for %i = 0 to 10 {
    %v = affine.load %m[%i] : memref<10xf32>
    %w = affine.load %n[%i] : memref<10xf32>
    %s = arith.addf %v, %w : f32
    affine.store %s, %p[%i] : memref<10xf32>
  }
  return
}
