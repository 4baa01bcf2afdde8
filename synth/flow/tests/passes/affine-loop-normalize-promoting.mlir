// pipeline: builtin.module(func.func(affine-loop-normalize{promote-single-iter}))
func.func @constants(%m: memref<40xi32>, %v: i32) {
  affine.for %i = 4 to 40 step 3 {
    affine.store %v, %m[%i] : memref<40xi32>
  }
  affine.for %i = 0 to 10 {
    affine.store %v, %m[%i] : memref<40xi32>
  }
  affine.for %i = 0 to 10 step 5 {
    "demo.unused"() : () -> ()
  }
  affine.for %i = 7 to 7 {
    affine.store %v, %m[%i] : memref<40xi32>
  }
  affine.for %i = -3 to 1 step 4 {
    affine.store %v, %m[%i + 3] : memref<40xi32>
  }
  return
}
// -----
func.func @carried(%m: memref<?xi32>, %v: i32, %n: index) -> i32 {
  %r = affine.for %i = 2 to %n step 4 iter_args(%a = %v) -> (i32) {
    %x = affine.load %m[%i + 1] : memref<?xi32>
    %s = arith.addi %a, %x : i32
    affine.yield %s : i32
  }
  return %r : i32
}
// -----
func.func @nested(%m: memref<?x?xi32>, %v: i32, %n: index) {
  affine.for %i = 1 to %n step 2 {
    affine.for %j = affine_map<(d0) -> (d0 * 2 + 1)>(%i) to affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%n] step 3 {
      affine.store %v, %m[%i, %j] : memref<?x?xi32>
      "demo.inside"(%j) ({
        "demo.deep"(%j, %i) : (index, index) -> ()
      }) : (index) -> ()
    }
  }
  return
}
// -----
func.func @extremes(%m: memref<?xi32>, %v: i32, %n: index, %k: index) {
  affine.for %i = 1 to min affine_map<()[s0, s1] -> (s0, s1 * 2)>()[%n, %k] step 2 {
    affine.store %v, %m[%i] : memref<?xi32>
  }
  affine.for %i = max affine_map<()[s0, s1] -> (s0, s1 * 2)>()[%n, %k] to 100 {
    affine.store %v, %m[%i] : memref<?xi32>
  }
  affine.for %i = %k to %n {
    affine.store %v, %m[%i] : memref<?xi32>
  }
  return
}
// -----
func.func @in_loops(%m: memref<?xi32>, %v: i32, %n: index, %c: index) {
  scf.for %t = %c to %n step %c {
    %u = arith.addi %t, %c : index
    affine.for %i = %c to %n step 2 {
      affine.store %v, %m[%i] : memref<?xi32>
    }
  }
  return
}
