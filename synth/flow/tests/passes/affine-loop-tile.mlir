// pipeline: builtin.module(func.func(affine-loop-tile{tile-size=4}))
func.func @product(%a: memref<16x12xf32>, %b: memref<12x10xf32>, %c: memref<16x10xf32>) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 10 {
      affine.for %k = 0 to 12 {
        %x = affine.load %a[%i, %k] : memref<16x12xf32>
        %y = affine.load %b[%k, %j] : memref<12x10xf32>
        %z = affine.load %c[%i, %j] : memref<16x10xf32>
        %p = arith.mulf %x, %y : f32
        %s = arith.addf %z, %p : f32
        affine.store %s, %c[%i, %j] : memref<16x10xf32>
      }
    }
  }
  return
}
// -----
func.func @runtime(%m: memref<?x?xi32>, %v: i32, %n: index, %k: index) {
  affine.for %i = 2 to %n step 3 {
    affine.for %j = affine_map<()[s0] -> (s0 - 1)>()[%k] to min affine_map<()[s0, s1] -> (s0 + 8, s1 * 2)>()[%k, %n] {
      affine.store %v, %m[%i, %j] : memref<?x?xi32>
    }
  }
  return
}
// -----
func.func @few_trips(%m: memref<20xi32>, %v: i32) {
  affine.for %i = 0 to 3 {
    affine.store %v, %m[%i] : memref<20xi32>
  }
  affine.for %i = 0 to 20 step 5 {
    affine.store %v, %m[%i] : memref<20xi32>
  }
  affine.for %i = 7 to 7 {
    affine.store %v, %m[%i] : memref<20xi32>
  }
  affine.for %i = 0 to 4 {
  }
  return
}
// -----
func.func @imperfect(%m: memref<8x8xi32>, %t: memref<8xi32>, %v: i32) {
  affine.for %i = 0 to 8 {
    affine.store %v, %t[%i] : memref<8xi32>
    affine.for %j = 0 to 8 {
      affine.store %v, %m[%i, %j] : memref<8x8xi32>
    }
  }
  return
}
// -----
func.func @two_nests(%a: memref<8x8xi32>, %b: memref<8x8xi32>, %p: i1) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<8x8xi32>
      affine.store %x, %b[%j, %i] : memref<8x8xi32>
    }
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %b[%i, 0] : memref<8x8xi32>
    affine.store %x, %a[0, %i] : memref<8x8xi32>
  }
  scf.if %p {
    affine.for %i = 0 to 8 {
      %x = affine.load %b[%i, 0] : memref<8x8xi32>
      affine.store %x, %a[0, %i] : memref<8x8xi32>
    }
  }
  return
}
// -----
func.func @carried(%a: memref<16xi32>, %v: i32) -> i32 {
  %r = affine.for %i = 0 to 16 iter_args(%s = %v) -> (i32) {
    %x = affine.load %a[%i] : memref<16xi32>
    %t = arith.addi %x, %s : i32
    affine.yield %t : i32
  }
  return %r : i32
}
// -----
func.func @triangle(%a: memref<16x16xi32>, %v: i32) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      affine.store %v, %a[%i, %j] : memref<16x16xi32>
    }
  }
  return
}
