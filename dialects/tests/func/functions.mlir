func.func private @b(i32) -> i32
func.func @a(%x: i32) -> i32 {
  %f = func.constant @b : (i32) -> i32
  %r = call_indirect %f(%x) : (i32) -> i32
  %g = constant {t.a} @b : (i32) -> i32
  return {t.a} %r : i32
}
func.func @c(%g: () -> (), %h: (i32, f32) -> (i32, f32), %x: i32, %y: f32) {
  call_indirect %g() : () -> ()
  %r:2 = call_indirect %h(%x, %y) {t.a} : (i32, f32) -> (i32, f32)
  return
}
// -----
func.func @a(%x: i32) -> i32 {
  %f = func.constant @b : (i32) -> i32
  return %x : i32
}
// -----
func.func private @b(i32) -> i32
func.func @a(%x: i32) -> i32 {
  %f = func.constant @b : (i32) -> f32
  return %x : i32
}
// -----
func.func private @b(i32) -> i32
func.func @a(%x: i32) -> i32 {
  %f = func.constant @b : i32
  return %x : i32
}
// -----
func.func @c(%g: (i32) -> (), %x: f32) {
  "func.call_indirect"(%g, %x) : ((i32) -> (), f32) -> ()
  return
}
// -----
func.func @c(%g: (i32) -> (), %x: f32) {
  %0 = "func.call_indirect"(%g) : ((i32) -> ()) -> (i32)
  return
}
// -----
func.func @c(%g: i32, %x: f32) {
  call_indirect %g() : () -> ()
  return
}
// -----
func.func @c(%g: i32, %x: f32) {
  "func.call_indirect"(%g) : (i32) -> ()
  return
}
// -----
func.func @c(%g: i32, %x: f32) {
  return %x : f32
}
// -----
func.func @c(%g: i32, %x: f32) -> i32 {
  return %x : f32
}
// -----
func.func @c(%g: i32, %x: f32) {
  func.func private @d()
  return
}
// -----
func.func @c(%g: i32) {
^bb0(%x: f32):
  return
}
// -----
"func.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({
^bb0(%x: f32):
  func.return
}) : () -> ()
// -----
"func.func"() <{sym_name = "f", function_type = (i32) -> ()}> ({
^bb0:
  func.return
}) : () -> ()
// -----
"func.func"() <{sym_name = "f", function_type = i32}> ({
}) : () -> ()
// -----
"func.func"() <{function_type = () -> ()}> ({
}) : () -> ()
// -----
"func.func"() <{sym_name = "f"}> ({
}) : () -> ()
// -----
func.func private @f(i32 {foo})
// -----
func.func private @f(i32 {t.foo}) -> (i32 {bar})
// -----
"func.func"() <{sym_name = "f", sym_visibility="private", function_type = (i32) -> (), arg_attrs = []}> ({
}) : () -> ()
// -----
"func.func"() <{sym_name = "f", sym_visibility="private", function_type = (i32) -> (), arg_attrs = [1]}> ({
}) : () -> ()
// -----
func.func @f() {
  return
} {t.a}
// -----
func.func @f(%a: i32, i32) {
  return
}
// -----
func.func @f() attributes {no_inline} {
  func.call @f() {no_inline} : () -> ()
  return
}
// -----
"t.x"() ({
  func.return
}) : () -> ()
// -----
func.func private @f(%a: i32)
// -----
func.func @f(...) {}
// -----
func.func @f(%x: i32) -> i32 {
  return %x, %x : i32
}
// -----
func.func @f(%x: i32) -> i32 {
  return %x : i32, i32
}
// -----
func.func @f(%x: i32) {
  call @g(%x) : () -> ()
}
// -----
func.func @f(%x: i32) {
  %0 = builtin.unrealized_conversion_cast %x, %x : i32 to i32
}
// -----
func.func @f(%x: (i32) -> ()) {
  call_indirect %x() : (i32) -> ()
}
// -----
func.func @f(i32) {
  return
}
// -----
func.func private @f(memref<?x4xf32, strided<[?, 1], offset: ?>>, i32 {x.y}) -> i32 {
  %c = arith.constant 42 : i32
  return %c : i32
}
// -----
func.func @f(i32 {x.y}) {
^first(%a: i32):
  cf.br ^second
^second:
  return
}
// -----
func.func @f(i32) {
^first:
  return
}
// -----
func.func @visibility_in_the_dictionary() attributes { sym_visibility = "private" }
// -----
func.func private @visibility_twice() attributes { sym_visibility = "private" }
// -----
func.func @visibility_of_a_body() attributes { a, sym_visibility = "private" } { return }
