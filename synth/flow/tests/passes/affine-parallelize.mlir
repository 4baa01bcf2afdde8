// pipeline: builtin.module(func.func(affine-parallelize))
func.func @reduce(%m: memref<8x6xf32>, %out: memref<1xf32>) {
  %z = arith.constant 0.0 : f32
  %o = arith.constant 1.0 : f32
  %r:2 = affine.for %i = 0 to 8 iter_args(%s = %z, %p = %o) -> (f32, f32) {
    %x = affine.load %m[%i, 0] : memref<8x6xf32>
    %s2 = arith.addf %s, %x : f32
    %p2 = arith.mulf %x, %p : f32
    affine.yield %s2, %p2 : f32, f32
  }
  affine.store %r#0, %out[0] : memref<1xf32>
  affine.store %r#1, %out[0] : memref<1xf32>
  return
}
// -----
func.func @two(%m: memref<8x6xf32>, %n: memref<8x6xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %x = affine.load %m[%i, %j] : memref<8x6xf32>
      affine.store %x, %n[%i, %j] : memref<8x6xf32>
    }
  }
  affine.for %i = 1 to 8 {
    affine.for %j = 0 to 6 {
      %x = affine.load %m[%i - 1, %j] : memref<8x6xf32>
      affine.store %x, %m[%i, %j] : memref<8x6xf32>
    }
  }
  affine.for %i = 0 to 7 {
    affine.for %j = 0 to 6 {
      %x = affine.load %m[%i, 0] : memref<8x6xf32>
      affine.store %x, %m[%i, %j] : memref<8x6xf32>
    }
  }
  return
}
// -----
func.func @bounds(%m: memref<?xf32>, %a: index, %b: index) {
  %c = arith.constant 0.0 : f32
  affine.for %i = max affine_map<()[s0] -> (s0, 4)>()[%a] to min affine_map<()[s0] -> (s0 + 1, 40)>()[%b] step 2 {
    affine.store %c, %m[%i] : memref<?xf32>
  }
  affine.for %i = %a to %b {
    affine.for %j = %a to affine_map<(d0) -> (d0 + 3)>(%i) {
      affine.store %c, %m[%i + %j] : memref<?xf32>
    }
  }
  return
}
// -----
func.func @others(%m: memref<?xf32>, %a: index) {
  %c = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    %l = memref.alloc() : memref<4xf32>
    affine.store %c, %l[0] : memref<4xf32>
    %x = affine.load %l[0] : memref<4xf32>
    affine.store %x, %m[%i] : memref<?xf32>
  }
  affine.for %i = 0 to 10 {
    memref.store %c, %m[%i] : memref<?xf32>
  }
  affine.for %i = 0 to 10 {
    func.call @f(%c) : (f32) -> ()
  }
  affine.for %i = 0 to 10 {
    affine.if affine_set<(d0) : (d0 - 3 >= 0)>(%i) {
      affine.store %c, %m[%i] : memref<?xf32>
    }
  }
  affine.for %i = 0 to 10 {
    affine.store %c, %m[%i mod 4] : memref<?xf32>
  }
  affine.for %i = 0 to 10 {
    affine.store %c, %m[%i floordiv 2] : memref<?xf32>
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 4 {
      affine.store %c, %m[%i * 4 + %j] : memref<?xf32>
    }
  }
  return
}
func.func private @f(f32)
// -----
func.func @not_kinds(%m: memref<8xi32>, %x: i32) -> (i32, i32, i32) {
  %r = affine.for %i = 0 to 8 iter_args(%a = %x) -> (i32) {
    %y = affine.load %m[%i] : memref<8xi32>
    %a2 = arith.subi %a, %y : i32
    affine.yield %a2 : i32
  }
  %s = affine.for %i = 0 to 8 iter_args(%a = %x) -> (i32) {
    %y = affine.load %m[%i] : memref<8xi32>
    %a2 = arith.addi %a, %y : i32
    %a3 = arith.addi %a2, %y : i32
    affine.yield %a3 : i32
  }
  %t = affine.for %i = 0 to 8 iter_args(%a = %x) -> (i32) {
    %y = affine.load %m[%i] : memref<8xi32>
    %a2 = arith.xori %a, %y : i32
    affine.yield %a2 : i32
  }
  return %r, %s, %t : i32, i32, i32
}
