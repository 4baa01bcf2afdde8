// pipeline: builtin.module(scf-for-loop-range-folding)
func.func @sum(%n: index, %k: index, %m: memref<?xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %k : index
    memref.store %v, %m[%j] : memref<?xi32>
  }
  return
}
// -----
func.func @product_and_sum(%n: index, %k: index, %m: memref<?xi32>, %v: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %v) -> (i32) {
    %j = arith.muli %i, %c4 : index
    %l = arith.addi %k, %j : index
    %x = memref.load %m[%l] : memref<?xi32>
    %s = arith.addi %x, %a : i32
    scf.yield %s : i32
  }
  return %r : i32
}
// -----
func.func @two_uses(%n: index, %k: index, %m: memref<?xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %k : index
    memref.store %v, %m[%j] : memref<?xi32>
    memref.store %v, %m[%i] : memref<?xi32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.addi %i, %i : index
    memref.store %v, %m[%j] : memref<?xi32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.subi %i, %k : index
    memref.store %v, %m[%j] : memref<?xi32>
  }
  scf.for %i = %c0 to %c0 step %c1 {
    %j = arith.addi %k, %i : index
    memref.store %v, %m[%j] : memref<?xi32>
    memref.store %v, %m[%j] : memref<?xi32>
  }
  return
}
// -----
func.func @nested(%n: index, %k: index, %m: memref<?xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %o = "demo.offset"() : () -> index
    scf.for %j = %c0 to %n step %c1 {
      %l = arith.addi %j, %o : index
      %q = arith.addi %l, %i : index
      "demo.use"(%q) ({
        "demo.deep"(%v) : (i32) -> ()
      }) : (index) -> ()
    }
    scf.for %j = %i to %n step %c1 {
      %w = memref.load %m[%j] : memref<?xi32>
      %p = arith.index_cast %w : i32 to index
      "demo.use"(%p) : (index) -> ()
    }
  }
  return
}
// -----
func.func @inner_value(%n: i32, %m: memref<?xi32>, %k: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    %o = "demo.offset"() : () -> i32
    %j = arith.addi %i, %o : i32
    "demo.use"(%j) : (i32) -> ()
  }
  scf.for %i = %c0 to %n step %c1 : i32 {
    %j = arith.addi %i, %k : i32
    "demo.use"(%j, %k) : (i32, i32) -> ()
  }
  return
}
