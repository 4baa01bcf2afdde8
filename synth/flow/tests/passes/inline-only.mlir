// pipeline: builtin.module(inline{default-pipeline=})
func.func @square(%x: i32) -> i32 {
  %r = arith.muli %x, %x : i32
  return %r : i32
}
func.func private @last_use(%x: i32) -> (i32, i32) {
  %r = func.call @square(%x) : (i32) -> i32
  return %r, %x : i32, i32
}
func.func @caller(%x: i32) -> i32 {
  %a:2 = call @last_use(%x) : (i32) -> (i32, i32)
  %b = call @square(%a#0) : (i32) -> i32
  %c = arith.addi %b, %a#1 : i32
  return %c : i32
}
// -----
func.func private @absolute(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %c = arith.cmpi slt, %x, %zero : i32
  cf.cond_br %c, ^negative, ^done(%x : i32)
^negative:
  %n = arith.subi %zero, %x : i32
  cf.br ^done(%n : i32)
^done(%r: i32):
  return %r : i32
}
func.func @blocks(%x: i32, %y: i32) -> i32 {
  %a = call @absolute(%x) : (i32) -> i32
  %b = call @absolute(%y) : (i32) -> i32
  %c = arith.addi %a, %b : i32
  return %c : i32
}
func.func @blocks_stay_out_of_loops(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %x) -> i32 {
    %q = func.call @absolute(%p) : (i32) -> i32
    scf.yield %q : i32
  }
  return %r : i32
}
func.func @blocks_in_region(%x: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    %q = func.call @absolute(%x) : (i32) -> i32
    scf.yield %q : i32
  }
  return %r : i32
}
// -----
func.func @early(%c: i1, %x: i32) -> (i32, i32) {
  %one = arith.constant 1 : i32
  cf.cond_br %c, ^a, ^b
^a:
  return %one, %x : i32, i32
^b:
  return %x, %one : i32, i32
}
func.func @two_returns(%c: i1, %x: i32) -> i32 {
  %r:2 = call @early(%c, %x) : (i1, i32) -> (i32, i32)
  %s = arith.addi %r#0, %r#1 : i32
  cf.cond_br %c, ^more, ^done(%s : i32)
^more:
  %t:2 = call @early(%c, %s) : (i1, i32) -> (i32, i32)
  cf.br ^done(%t#1 : i32)
^done(%u: i32):
  return %u : i32
}
// -----
func.func @itself(%x: i32) -> i32 {
  %r = call @itself(%x) : (i32) -> i32
  return %r : i32
}
func.func @ping(%x: i32) -> i32 {
  %r = call @pong(%x) : (i32) -> i32
  return %r : i32
}
func.func @pong(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %y = arith.subi %x, %one : i32
  %r = call @ping(%y) : (i32) -> i32
  return %r : i32
}
func.func @start(%x: i32) -> i32 {
  %a = call @itself(%x) : (i32) -> i32
  %b = call @ping(%a) : (i32) -> i32
  return %b : i32
}
// -----
func.func private @declared(i32) -> i32
func.func private @unknown_inside(%x: i32) -> i32 {
  %r = "some.operation"(%x) : (i32) -> i32
  return %r : i32
}
func.func private @index_inside(%x: index) -> index {
  %r = index.add %x, %x
  return %r : index
}
func.func @these_stay(%x: i32, %i: index, %f: (i32) -> i32) -> (i32, i32, index, i32) {
  %a = call @declared(%x) : (i32) -> i32
  %b = call @unknown_inside(%x) : (i32) -> i32
  %c = call @index_inside(%i) : (index) -> index
  %d = call_indirect %f(%x) : (i32) -> i32
  return %a, %b, %c, %d : i32, i32, index, i32
}
// -----
func.func private @never_named() {
  return
}
func.func private @named_by_never_called() {
  return
}
func.func private @never_called() {
  call @named_by_never_called() : () -> ()
  return
}
func.func private @named_in_table() {
  return
}
func.func @user() -> (() -> ()) {
  call @named_in_table() : () -> ()
  %f = constant @as_value : () -> ()
  call @as_value() : () -> ()
  return %f : () -> ()
}
func.func private @as_value() {
  return
}
"some.table"() {entries = [@named_in_table]} : () -> ()
// -----
func.func private @sum(%m: memref<8xi32>, %n: index) -> i32 {
  %zero = arith.constant 0 : i32
  %r = affine.for %i = 0 to %n iter_args(%p = %zero) -> i32 {
    %v = affine.load %m[%i] : memref<8xi32>
    %s = arith.addi %p, %v : i32
    affine.yield %s : i32
  }
  return %r : i32
}
func.func private @add(%x: i32, %y: i32) -> i32 {
  %r = arith.addi %x, %y : i32
  return %r : i32
}
func.func @affine_code(%m: memref<8xi32>, %n: index, %c: i1) -> i32 {
  %a = call @sum(%m, %n) : (memref<8xi32>, index) -> i32
  %b = scf.if %c -> i32 {
    %d = func.call @sum(%m, %n) : (memref<8xi32>, index) -> i32
    scf.yield %d : i32
  } else {
    scf.yield %a : i32
  }
  %e = affine.for %i = 0 to 8 iter_args(%p = %b) -> i32 {
    %f = func.call @add(%p, %a) : (i32, i32) -> i32
    affine.yield %f : i32
  }
  return %e : i32
}
// -----
module {
  func.func private @of_inner(%x: i32) -> i32 {
    return %x : i32
  }
  func.func @inner(%x: i32) -> i32 {
    %r = call @of_inner(%x) : (i32) -> i32
    return %r : i32
  }
}
func.func @nothing() {
  return
}
