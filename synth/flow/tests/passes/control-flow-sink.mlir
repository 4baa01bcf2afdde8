// pipeline: builtin.module(control-flow-sink)
func.func @into_branches(%p: i1, %a: i32, %b: i32) -> i32 {
  %0 = arith.addi %a, %b : i32
  %1 = arith.muli %a, %b : i32
  %2 = arith.subi %0, %b : i32
  %3 = arith.xori %a, %b : i32
  %r = scf.if %p -> (i32) {
    %s = arith.andi %2, %3 : i32
    scf.yield %s : i32
  } else {
    %s = arith.ori %1, %3 : i32
    scf.yield %s : i32
  }
  return %r : i32
}
// -----
func.func @kept(%p: i1, %a: i32, %m: memref<i32>, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.load %m[] : memref<i32>
  %1 = arith.addi %a, %a : i32
  %2 = arith.muli %a, %a : i32
  %3 = "demo.value"() : () -> i32
  %r = scf.if %p -> (i32) {
    %s = arith.addi %0, %1 : i32
    %t = arith.addi %s, %3 : i32
    scf.yield %t : i32
  } else {
    scf.yield %1 : i32
  }
  scf.for %i = %c0 to %n step %c1 {
    memref.store %2, %m[] : memref<i32>
  }
  %q = arith.addi %r, %1 : i32
  return %q : i32
}
// -----
func.func @nested(%p: i1, %q: i1, %a: i32, %m: memref<i32>) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.muli %0, %0 : i32
  %4 = arith.divsi %a, %a : i32
  scf.if %p {
    %2 = arith.subi %1, %a : i32
    scf.if %q {
      memref.store %2, %m[] : memref<i32>
      memref.store %4, %m[] : memref<i32>
    }
    "demo.work"() ({
      "demo.deep"(%a) : (i32) -> ()
    }) : () -> ()
  }
  return
}
// -----
func.func @switches(%i: index, %a: i32, %m: memref<i32>) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.muli %a, %a : i32
  %c = arith.constant 3 : i32
  scf.index_switch %i
  case 2 {
    memref.store %0, %m[] : memref<i32>
    scf.yield
  }
  default {
    memref.store %1, %m[] : memref<i32>
    memref.store %c, %m[] : memref<i32>
  }
  return
}
// -----
func.func @loops_inside(%p: i1, %a: i32, %m: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = arith.addi %a, %a : i32
  %k = "demo.key"() : () -> index
  %w = scf.if %p -> (i32) {
    scf.yield %a : i32
  } else {
    scf.yield %0 : i32
  }
  affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%k) {
    scf.for %i = %c0 to %c4 step %c1 {
      memref.store %w, %m[%i] : memref<4xi32>
    }
  }
  return
}
