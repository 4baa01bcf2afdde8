// pipeline: builtin.module(scf-for-loop-peeling)
func.func @f(%m: memref<?xi32>, %n: index, %v: i32, %k: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c10 = arith.constant 10 : index
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%a = %v) -> (i32) {
    %w = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%i)[%n]
    %x = arith.index_cast %w : index to i32
    %s = arith.addi %a, %x : i32
    scf.yield %s : i32
  }
  scf.for %i = %c0 to %c8 step %c4 {
    memref.store %v, %m[%i] : memref<?xi32>
  }
  scf.for %i = %c0 to %c10 step %c4 {
    memref.store %v, %m[%i] : memref<?xi32>
  }
  scf.for %i = %c1 to %n step %c1 {
    memref.store %v, %m[%i] : memref<?xi32>
  }
  scf.for %i = %c1 to %n step %k {
    scf.for %j = %i to %n step %c3 {
    memref.store %v, %m[%j] : memref<?xi32>
  }
  }
  return %r : i32
}
// -----
func.func @kept(%m: memref<?xi32>, %v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %c5b = arith.constant 5 : index
  %dead = arith.addi %c5, %n : index
  scf.for %i = %c5 to %c5b step %c2 {
    memref.store %v, %m[%i] : memref<?xi32>
  }
  scf.for %i = %c5 to %c0 step %c2 {
    memref.store %v, %m[%i] : memref<?xi32>
  }
  scf.for %i = %c0 to %c5b step %c2 {
    memref.store %v, %m[%i] : memref<?xi32>
  }
  return
}
// -----
func.func @inside(%n: index, %k: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  scf.if %p {
    "demo.work"() ({
      scf.for %i = %c0 to %n step %c7 {
        %w = affine.min affine_map<(d0, d1) -> (d1 - d0, 7)>(%i, %n)
        %x = affine.min affine_map<(d0)[s0] -> (5, s0 - d0)>(%i)[%n]
        "demo.use"(%w, %i, %x) : (index, index, index) -> ()
      }
      "demo.end"() : () -> ()
    }) : () -> ()
  }
  scf.for %i = %k to %n step %k {
    "demo.use"(%i) : (index) -> ()
  }
  return
}
// -----
func.func @carried(%n: index, %a: f32) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %r:2 = scf.for %i = %c0 to %c9 step %c2 iter_args(%x = %a, %y = %n) -> (f32, index) {
    %s = arith.addf %x, %x : f32
    %t = arith.addi %y, %i : index
    scf.yield %s, %t : f32, index
  }
  return %r#0, %r#1 : f32, index
}
