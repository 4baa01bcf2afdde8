// pipeline: builtin.module(func.func(affine-loop-unroll-jam{unroll-jam-factor=3}))
func.func @two(%m: memref<8x6xf32>, %n: memref<8x6xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %x = affine.load %m[%i, %j] : memref<8x6xf32>
      affine.store %x, %n[%i, %j] : memref<8x6xf32>
    }
  }
  return
}
// -----
func.func @rest(%m: memref<9x6xf32>, %n: memref<9x6xf32>) {
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to 6 {
      %x = affine.load %m[%i, %j] : memref<9x6xf32>
      affine.store %x, %n[%i, %j] : memref<9x6xf32>
    }
  }
  return
}
// -----
func.func @around(%m: memref<?x6xf32>, %n: memref<?x6xf32>, %k: index) {
  affine.for %i = 0 to %k {
    %a = affine.load %m[%i, 0] : memref<?x6xf32>
    affine.for %j = 0 to 6 {
      %x = affine.load %m[%i, %j] : memref<?x6xf32>
      %y = arith.addf %x, %a : f32
      affine.store %y, %n[%i, %j] : memref<?x6xf32>
    }
    affine.store %a, %n[%i, 0] : memref<?x6xf32>
  }
  return
}
// -----
func.func @few(%m: memref<9x6xf32>, %n: memref<9x6xf32>) {
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 6 {
      %x = affine.load %m[%i, %j] : memref<9x6xf32>
      affine.store %x, %n[%i, %j] : memref<9x6xf32>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %x = affine.load %m[%i, %j] : memref<9x6xf32>
      affine.store %x, %n[%i, %j] : memref<9x6xf32>
    }
  }
  affine.for %i = 0 to 4 {
  }
  affine.for %i = 0 to 8 step 2 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %x = affine.load %m[%i, %j] : memref<9x6xf32>
      affine.store %x, %n[%i, %j] : memref<9x6xf32>
    }
  }
  return
}
// -----
func.func @sums(%m: memref<8x6xf32>, %init: f32, %n: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %s = affine.for %j = 0 to 6 iter_args(%acc = %init) -> f32 {
      %x = affine.load %m[%i, %j] : memref<8x6xf32>
      %t = arith.addf %acc, %x : f32
      affine.yield %t : f32
    }
    affine.store %s, %n[%i] : memref<8xf32>
  }
  return
}
// -----
func.func @outer_sum(%m: memref<8x6xi32>, %init: i32) -> i32 {
  %r = affine.for %i = 0 to 10 iter_args(%a = %init) -> i32 {
    %zero = arith.constant 0 : i32
    %s = affine.for %j = 0 to 6 iter_args(%acc = %zero) -> i32 {
      %x = affine.load %m[%i, %j] : memref<8x6xi32>
      %t = arith.addi %acc, %x : i32
      affine.yield %t : i32
    }
    %u = arith.addi %a, %s : i32
    affine.yield %u : i32
  }
  return %r : i32
}
// -----
func.func @three(%m: memref<8x6x4xi32>, %n: memref<8x6x4xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      affine.for %k = 0 to 4 {
        %x = affine.load %m[%i, %j, %k] : memref<8x6x4xi32>
        affine.store %x, %n[%i, %j, %k] : memref<8x6x4xi32>
      }
    }
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %m[%i, 0, 0] : memref<8x6x4xi32>
    affine.store %x, %n[%i, 0, 0] : memref<8x6x4xi32>
  }
  return
}
