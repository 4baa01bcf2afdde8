// pipeline: builtin.module(sccp)
func.func private @step(%x: i32) -> i32 {
  %two = arith.constant 2 : i32
  %y = arith.muli %x, %two : i32
  return %y : i32
}
func.func @calls_with_one_constant() -> (i32, i32) {
  %c = arith.constant 21 : i32
  %a = call @step(%c) : (i32) -> i32
  %b = call @step(%c) : (i32) -> i32
  return %a, %b : i32, i32
}
// -----
func.func private @pick(%c: i1, %x: i16, %y: i16) -> i16 {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : i16
^b:
  return %y : i16
}
func.func @one_way_is_taken(%v: i16) -> i16 {
  %t = arith.constant true
  %seven = arith.constant 7 : i16
  %r = call @pick(%t, %seven, %v) : (i1, i16, i16) -> i16
  return %r : i16
}
// -----
func.func private @even(%n: i8) -> i8 {
  %zero = arith.constant 0 : i8
  %c = "some.condition"() : () -> i1
  cf.cond_br %c, ^done, ^more
^done:
  return %zero : i8
^more:
  %r = call @odd(%n) : (i8) -> i8
  return %r : i8
}
func.func private @odd(%n: i8) -> i8 {
  %r = call @even(%n) : (i8) -> i8
  return %r : i8
}
func.func @recursion() -> i8 {
  %n = arith.constant 5 : i8
  %r = call @odd(%n) : (i8) -> i8
  return %r : i8
}
// -----
func.func private @named_elsewhere(%x: i32) -> i32 {
  return %x : i32
}
func.func private @value(%x: i32) -> i32 {
  return %x : i32
}
func.func @not_all_calls_known() -> (i32, i32, (i32) -> i32) {
  %c = arith.constant 3 : i32
  %a = call @named_elsewhere(%c) : (i32) -> i32
  %b = call @value(%c) : (i32) -> i32
  %f = constant @value : (i32) -> i32
  return %a, %b, %f : i32, i32, (i32) -> i32
}
"some.table"() {entries = [@named_elsewhere, [{at = @other::@inner}]]} : () -> ()
// -----
func.func private @hidden(%x: i32) -> i32 {
  return %x : i32
}
func.func @beside_unknown_tables() -> i32 {
  %c = arith.constant 3 : i32
  %a = call @hidden(%c) : (i32) -> i32
  return %a : i32
}
"some.table"() ({
  "some.end"() : () -> ()
}) : () -> ()
// -----
module @outer {
  func.func nested @kept(%x: i32) -> i32 {
    return %x : i32
  }
  func.func @user() -> i32 {
    %c = arith.constant 3 : i32
    %a = call @kept(%c) : (i32) -> i32
    return %a : i32
  }
}
module {
  func.func nested @known(%x: i32) -> i32 {
    return %x : i32
  }
  func.func @user() -> i32 {
    %c = arith.constant 3 : i32
    %a = call @known(%c) : (i32) -> i32
    return %a : i32
  }
}
// -----
func.func private @never_called(%x: i32) -> i32 {
  %a = arith.constant 1 : i32
  %b = arith.addi %a, %a : i32
  return %b : i32
}
func.func @public(%x: i32) -> (i32, i32) {
  %a = arith.constant 1 : i32
  %b = arith.addi %a, %a : i32
  return %b, %x : i32, i32
}
func.func @calls_public() -> (i32, i32) {
  %a = arith.constant 1 : i32
  %r:2 = call @public(%a) : (i32) -> (i32, i32)
  return %r#0, %r#1 : i32, i32
}
func.func private @elsewhere() -> i32
func.func @calls_declaration() -> i32 {
  %r = call @elsewhere() : () -> i32
  return %r : i32
}
func.func @calls_value(%f: () -> i32) -> i32 {
  %r = call_indirect %f() : () -> i32
  return %r : i32
}
