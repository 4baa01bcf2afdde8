func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.br ^a(%i, %x : i32, f32)
  ^a(%k: i32, %l: f32):
    cf.cond_br %b, ^a2, ^c(%k : i32)
  ^a2:
    cf.br ^d {t.a}
  ^c(%m: i32):
    cf.cond_br %b, ^d, ^d {t.a}
  ^d:
    cf.switch %i : i32, [
    default: ^e
    ]
  ^e:
   cf.switch %i : i32, [
   default: ^g(%i : i32),
   1: ^g(%i : i32),
   0x10: ^h,
   -1: ^h
   ] {t.a}
  ^g(%q: i32):
    cf.br ^h
  ^h:
   cf.assert %b, "some \"msg\" x" {t.a}
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.switch %j : i64, [
   default: ^g,
   -9223372036854775808: ^g,
   9223372036854775807: ^g
   ]
  ^g:
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.switch %b : i1, [
   default: ^g,
   1: ^g
   ]
  ^g:
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.br
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.br ^a(%i)
  ^a(%k: i32):
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.br ^a(%i : f32)
  ^a(%k: i32):
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.br ^a(%i : i32, i32)
  ^a(%k: i32):
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.cond_br %i, ^a, ^a
  ^a:
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.cond_br %b, ^a
  ^a:
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.cond_br %b, ^a(%i : i32), ^a
  ^a:
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.cond_br %b, ^a(%x : f32), ^a(%i : i32)
  ^a(%k: i32):
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.switch %x : f32, [
   default: ^a
  ]
  ^a:
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.switch %n : index, [
   default: ^a
  ]
  ^a:
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.switch %i : i32, [
   1: ^a
  ]
  ^a:
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.switch %i : i32, [
   default: ^a
   1: ^a
  ]
  ^a:
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.switch %i : i32, [
   default: ^a,
   x: ^a
  ]
  ^a:
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.switch %i : i32, [
   default: ^a,
   4294967296: ^a
  ]
  ^a:
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.switch %i : i32, [
   default: ^a(%i : i32)
  ]
  ^a:
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.switch %i : i32, [
   default: ^a,
   1: ^c(%x : f32)
  ]
  ^a:
    return
  ^c(%k: i32):
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  "cf.switch"(%i)[^a, ^a] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
  ^a:
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  "cf.switch"(%i)[^a, ^a] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : vector<1xi64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
  ^a:
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.assert %i, "x"
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.assert %b
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.assert %b, x
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  cf.assert %b, 3
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  "cf.br"() : () -> ()
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  "cf.cond_br"(%b)[^a, ^a] <{operandSegmentSizes = array<i32: 1, 0>}> : (i1) -> ()
  ^a:
  return
}
