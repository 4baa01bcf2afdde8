func.func @unsigned(%a: index, %b: i32) -> i32 {
  scf.for unsigned %i = %a to %a step %a {
  }
  %0 = scf.for unsigned %i = %b to %b step %b iter_args(%k = %b) -> (i32) : i32 {
    scf.yield %k : i32
  } {note}
  "scf.for"(%a, %a, %a) <{unsignedCmp}> ({
  ^bb0(%i: index):
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return %0 : i32
}
// -----
func.func @kept() -> i32 {
  scf.execute_region no_inline {
    scf.yield
  }
  %0 = scf.execute_region -> i32 no_inline {
    %1 = arith.constant 1 : i32
    scf.yield %1 : i32
  } {note}
  return %0 : i32
}
// -----
func.func @weights(%c: i1, %x: i32) {
  cf.cond_br %c weights([1, 2]), ^bb1(%x : i32), ^bb2
^bb1(%y: i32):
  cf.cond_br %c weights([3, 0]), ^bb1(%y : i32), ^bb2 {note}
^bb2:
  "cf.cond_br"(%c)[^bb3, ^bb3] <{branch_weights = array<i32: 1, 2>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb3:
  cf.cond_br %c weights([]), ^bb3, ^bb4
^bb4:
  return
}
// -----
func.func @kept() attributes {no_inline} {
  return
}
func.func @caller(%a: i32, %g: (i32) -> i32) -> i32 {
  call @kept() {no_inline} : () -> ()
  %0 = "func.call"(%a) <{callee = @callee, arg_attrs = [{llvm.noundef}], res_attrs = [{}]}> : (i32) -> i32
  %1 = call_indirect %g(%0) {arg_attrs = [{llvm.noundef}], res_attrs = [{}]} : (i32) -> i32
  return %1 : i32
}
func.func private @callee(i32) -> i32
// -----
func.func @never(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  ub.unreachable {note}
^bb2:
  return
}
// -----
func.func @f() {
  ub.unreachable
  return
}
// -----
func.func @f(%c: i1) {
  cf.cond_br %c weights([1, 2, 3]), ^bb1, ^bb1
^bb1:
  return
}
// -----
func.func @f(%c: i1) {
  cf.cond_br %c weights(1, 2), ^bb1, ^bb1
^bb1:
  return
}
// -----
func.func @f(%c: i1) {
  cf.cond_br %c weights([1, 5000000000]), ^bb1, ^bb1
^bb1:
  return
}
// -----
func.func @f(%a: index) {
  scf.for signed %i = %a to %a step %a {
  }
  return
}
// -----
func.func @f(%a: index) {
  "scf.for"(%a, %a, %a) <{unsignedCmp = 1 : i32}> ({
  ^bb0(%i: index):
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}
