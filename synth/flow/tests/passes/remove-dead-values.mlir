// pipeline: builtin.module(remove-dead-values)
func.func private @callee(%a: i32, %b: i32, %m: memref<i32>) -> (i32, i32) {
  %0 = arith.addi %a, %a : i32
  %1 = arith.muli %0, %0 : i32
  memref.store %1, %m[] : memref<i32>
  return %0, %1 : i32, i32
}
func.func @caller(%a: i32, %m: memref<i32>) -> i32 {
  %b = arith.addi %a, %a : i32
  %r:2 = call @callee(%a, %b, %m) : (i32, i32, memref<i32>) -> (i32, i32)
  return %r#1 : i32
}
// -----
func.func private @attributes(%a: i32 {demo.x}, %b: i32 {demo.y}) -> (i32 {demo.r}, i32 {demo.s}) {
  return %b, %b : i32, i32
}
func.func @public(%a: i32) -> (i32, i32) {
  %r:2 = call @attributes(%a, %a) : (i32, i32) -> (i32, i32)
  return %a, %r#1 : i32, i32
}
// -----
func.func @loops(%n: index, %a: i32, %m: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %a, %z = %a) -> (i32, i32, i32) {
    %s = arith.addi %x, %y : i32
    %t = arith.muli %z, %z : i32
    scf.yield %x, %s, %t : i32, i32, i32
  }
  %q:2 = affine.for %i = 0 to %n iter_args(%x = %a, %y = %a) -> (i32, i32) {
    %s = arith.addi %x, %x : i32
    %t = arith.muli %y, %y : i32
    affine.yield %s, %t : i32, i32
  }
  return %r#1 : i32
}
// -----
func.func @swapped(%n: index, %a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %z = %a) -> (i32, i32, i32) {
    %t = arith.muli %z, %x : i32
    scf.yield %y, %x, %t : i32, i32, i32
  }
  return %r#0 : i32
}
// -----
func.func @whiles(%p: i1, %a: i32) -> i32 {
  %r:2 = scf.while (%x = %a, %y = %a) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %x, %a : i32
    scf.condition(%c) %x, %y : i32, i32
  } do {
  ^bb0(%u: i32, %v: i32):
    %s = arith.addi %u, %u : i32
    scf.yield %s, %v : i32, i32
  }
  %q:2 = scf.while (%x = %a) : (i32) -> (i32, i32) {
    %c = arith.cmpi slt, %x, %a : i32
    %d = arith.muli %x, %x : i32
    scf.condition(%c) %x, %d : i32, i32
  } do {
  ^bb0(%u: i32, %v: i32):
    %s = arith.addi %u, %u : i32
    scf.yield %s : i32
  }
  return %r#0 : i32
}
// -----
func.func @nested(%p: i1, %a: i32, %m: memref<4xi32>, %i: index) -> i32 {
  %r:2 = scf.if %p -> (i32, i32) {
    %s = arith.addi %a, %a : i32
    %t:2 = scf.if %p -> (i32, i32) {
      %u = arith.muli %s, %s : i32
      scf.yield %u, %a : i32, i32
    } else {
      scf.yield %a, %s : i32, i32
    }
    scf.yield %t#0, %t#1 : i32, i32
  } else {
    %s = arith.muli %a, %a : i32
    scf.yield %a, %s : i32, i32
  }
  affine.for %k = 0 to 4 {
     %x = affine.load %m[%k] : memref<4xi32>
     %y = arith.addi %x, %x : i32
  }
  %e:2 = scf.execute_region -> (i32, i32) {
    %z = arith.addi %a, %a : i32
    memref.store %z, %m[%i] : memref<4xi32>
    scf.yield %z, %a : i32, i32
  }
  %w = scf.index_switch %i -> i32
  case 1 {
    scf.yield %a : i32
  }
  default {
    scf.yield %a : i32
  }
  return %r#1 : i32
}
// -----
func.func @allocations(%a: i32) -> i32 {
  %m = memref.alloc() : memref<4xi32>
  %v = arith.addi %a, %a : i32
  affine.store %v, %m[0] : memref<4xi32>
  %q = "demo.use"(%v) : (i32) -> i32
  %d = arith.divsi %a, %v : i32
  return %a : i32
}
// -----
func.func private @f(%a: i32, %b: i32) -> (i32, i32) {
  %r:2 = call @f(%b, %a) : (i32, i32) -> (i32, i32)
  return %r#0, %a : i32, i32
}
func.func @g(%a: i32, %b: i32) -> i32 {
  %r:2 = call @f(%b, %a) : (i32, i32) -> (i32, i32)
  return %r#1 : i32
}
