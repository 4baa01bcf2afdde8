// pipeline: builtin.module(inline)
func.func private @clamp(%x: i32, %most: i32) -> i32 {
  %c = arith.cmpi sgt, %x, %most : i32
  %r = scf.if %c -> i32 {
    scf.yield %most : i32
  } else {
    scf.yield %x : i32
  }
  return %r : i32
}
func.func @constants_meet() -> i32 {
  %x = arith.constant 300 : i32
  %most = arith.constant 255 : i32
  %r = call @clamp(%x, %most) : (i32, i32) -> i32
  return %r : i32
}
func.func @arguments(%x: i32, %most: i32) -> i32 {
  %r = call @clamp(%x, %most) : (i32, i32) -> i32
  return %r : i32
}
// -----
func.func private @choose(%c: i1) -> i32 {
  cf.cond_br %c, ^a, ^b
^a:
  %one = arith.constant 1 : i32
  return %one : i32
^b:
  %two = arith.constant 2 : i32
  return %two : i32
}
func.func @known(%x: i32) -> i32 {
  %t = arith.constant true
  %f = arith.constant false
  %a = call @choose(%t) : (i1) -> i32
  %b = call @choose(%f) : (i1) -> i32
  %c = arith.addi %a, %b : i32
  return %c : i32
}
// -----
func.func private @leaf(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %r = arith.addi %x, %one : i32
  return %r : i32
}
func.func private @middle(%x: i32) -> i32 {
  %a = call @leaf(%x) : (i32) -> i32
  %b = call @leaf(%a) : (i32) -> i32
  return %b : i32
}
func.func @top(%x: i32) -> i32 {
  %a = call @middle(%x) : (i32) -> i32
  %b = call @leaf(%a) : (i32) -> i32
  return %b : i32
}
// -----
func.func private @seven() -> i32 {
  %r = arith.constant 7 : i32
  return %r : i32
}
func.func private @get() -> (() -> i32) {
  %f = constant @seven : () -> i32
  return %f : () -> i32
}
func.func @through_value() -> i32 {
  %f = call @get() : () -> (() -> i32)
  %r = call_indirect %f() : () -> i32
  return %r : i32
}
