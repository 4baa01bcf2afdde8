// pipeline: builtin.module(func.func(scf-parallel-loop-tiling))
func.func @nested(%m: memref<?x?xi32>, %n: index, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j) = (%c0, %c1) to (%n, %c8) step (%c1, %c2) {
    memref.store %v, %m[%i, %j] : memref<?x?xi32>
    scf.parallel (%k) = (%c0) to (%i) step (%c1) {
      memref.store %v, %m[%k, %j] : memref<?x?xi32>
    }
  }
  return
}
// -----
func.func @reductions(%s: f32, %m: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%s) -> f32 {
    %x = memref.load %m[%i] : memref<?xf32>
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %t = arith.addf %a, %b : f32
      scf.reduce.return %t : f32
    }
  }
  return %r : f32
}
// -----
func.func @known(%m: memref<?x?x?xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j, %k) = (%c0, %c0, %c1) to (%c8, %c7, %c8) step (%c1, %c3, %c3) {
    %s = "demo.work"(%i, %k) ({
      "demo.deep"(%i, %j) : (index, index) -> ()
    }) : (index, index) -> i32
    memref.store %s, %m[%i, %j, %k] : memref<?x?x?xi32>
  }
  return
}
// -----
func.func @no_trips(%m: memref<?xi32>, %v: i32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.parallel (%i) = (%c5) to (%c5) step (%c1) {
    memref.store %v, %m[%i] : memref<?xi32>
  }
  scf.for %t = %c0 to %n step %c1 {
    scf.parallel (%i) = (%t) to (%n) step (%t) {
      %k = arith.addi %i, %i : index
      memref.store %v, %m[%k] : memref<?xi32>
    }
  }
  return
}
