// pipeline: builtin.module(func.func(affine-loop-invariant-code-motion))
func.func @stores(%m: memref<10xf32>, %n: memref<10xf32>) {
  %c = arith.constant 7.0 : f32
  affine.for %i = 0 to 10 {
    %a = arith.addf %c, %c : f32
    affine.for %j = 0 to 10 {
      %v = affine.load %m[%i] : memref<10xf32>
      %s = arith.addf %a, %v : f32
      affine.store %s, %n[%j] : memref<10xf32>
    }
  }
  return
}
// -----
func.func @same(%m: memref<10xf32>) {
  %c = arith.constant 7.0 : f32
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 10 {
      %v = affine.load %m[%i] : memref<10xf32>
      affine.store %v, %m[%j] : memref<10xf32>
    }
    affine.for %j = 0 to 10 {
      affine.store %c, %m[%i] : memref<10xf32>
    }
  }
  return
}
// -----
func.func @if(%m: memref<10xf32>) {
  %c = arith.constant 7.0 : f32
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 10 {
      affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) {
        %s = arith.addf %c, %c : f32
        affine.store %s, %m[%i] : memref<10xf32>
      }
    }
  }
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 10 {
      affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%j) {
        %s = arith.addf %c, %c : f32
        affine.store %s, %m[%i] : memref<10xf32>
      }
    }
  }
  return
}
// -----
func.func @nest(%m: memref<10xf32>) {
  %c = arith.constant 7.0 : f32
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 10 {
      %s = arith.mulf %c, %c : f32
      affine.for %k = 0 to 10 {
         affine.store %s, %m[%k] : memref<10xf32>
      }
    }
  }
  return
}
// -----
func.func @carried(%m: memref<10xf32>, %a: f32, %x: index, %y : index) -> f32 {
  %r = affine.for %i = 0 to 10 iter_args(%acc = %a) -> f32 {
    %s = arith.mulf %a, %a : f32
    %t = arith.addf %acc, %s : f32
    %d = arith.divui %x, %y : index
    %v = memref.load %m[%d] : memref<10xf32>
    %u = arith.addf %t, %v : f32
    affine.yield %u : f32
  }
  return %r : f32
}
// -----
func.func @allocated(%x: index) {
  affine.for %i = 0 to 10 {
    %m = memref.alloc() : memref<10xf32>
    %v = affine.load %m[0] : memref<10xf32>
    %y = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%x]
    %z = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%x]
    "demo.use"(%v, %y, %z) : (f32, index, index) -> ()
  }
  affine.for %i = 0 to 10 {
    affine.parallel (%p) = (0) to (4) {
      %y = affine.apply affine_map<()[s0] -> (s0 + 1)>()[%x]
    }
  }
  return
}
