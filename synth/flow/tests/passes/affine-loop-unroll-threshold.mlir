// pipeline: builtin.module(func.func(affine-loop-unroll{unroll-full unroll-full-threshold=6}))
func.func @remainder(%m: memref<10xi32>, %v: i32) {
  affine.for %i = 0 to 10 {
    affine.store %v, %m[%i] : memref<10xi32>
  }
  return
}
// -----
func.func @carried(%m: memref<12xi32>, %z: i32) -> (i32, i32) {
  %r:2 = affine.for %i = 0 to 12 step 2 iter_args(%a = %z, %b = %z) -> (i32, i32) {
    %x = affine.load %m[%i] : memref<12xi32>
    %s = arith.addi %a, %x : i32
    %t = arith.muli %b, %s : i32
    affine.yield %t, %s : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}
// -----
func.func @carried_remainder(%m: memref<12xi32>, %z: i32) -> i32 {
  %r = affine.for %i = 1 to 12 iter_args(%a = %z) -> (i32) {
    %x = affine.load %m[%i] : memref<12xi32>
    %s = arith.addi %a, %x : i32
    affine.yield %s : i32
  }
  return %r : i32
}
// -----
func.func @no_trips(%m: memref<10xi32>, %v: i32) {
  affine.for %i = 4 to 4 {
    affine.store %v, %m[%i] : memref<10xi32>
  }
  affine.for %i = 4 to 5 {
    affine.store %v, %m[%i] : memref<10xi32>
  }
  affine.for %i = 4 to 6 {
    affine.store %v, %m[%i] : memref<10xi32>
  }
  return
}
// -----
func.func @runtime(%m: memref<?xi32>, %v: i32, %n: index, %k: index) {
  affine.for %i = 0 to %n {
    affine.store %v, %m[%i] : memref<?xi32>
  }
  affine.for %i = affine_map<(d0) -> (d0 + 1)>(%k) to %n step 2 {
    affine.store %v, %m[%i] : memref<?xi32>
  }
  affine.for %i = 2 to min affine_map<(d0)[s0] -> (d0 + 8, s0)>(%k)[%n] {
    affine.store %v, %m[%i] : memref<?xi32>
  }
  return
}
// -----
func.func @nested(%m: memref<8x9xi32>) {
  affine.for %i = 0 to 8 {
    %a = "demo.outer"(%i) : (index) -> i32
    affine.for %j = 0 to 9 {
      %k = affine.apply affine_map<(d0, d1) -> (d0 * 2 + d1)>(%i, %j)
      %b = "demo.inner"(%k) ({
        "demo.deep"(%k, %j) : (index, index) -> ()
      }) : (index) -> i32
      %c = arith.addi %a, %b : i32
      affine.store %c, %m[%i, %j] : memref<8x9xi32>
    }
    affine.for %j = 0 to 2 {
      affine.store %a, %m[%i, %j] : memref<8x9xi32>
    }
  }
  return
}
// -----
func.func @in_others(%m: memref<9xi32>, %v: i32, %p: i1, %c: index) {
  scf.for %i = %c to %c step %c {
    affine.for %j = 0 to 6 {
      affine.store %v, %m[%j] : memref<9xi32>
    }
  }
  scf.if %p {
    affine.for %j = 0 to 3 {
      affine.store %v, %m[%j + symbol(%c)] : memref<9xi32>
    }
  }
  return
}
