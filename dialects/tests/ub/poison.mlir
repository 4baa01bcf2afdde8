func.func @f() {
  %0 = ub.poison : i32
  %1 = ub.poison <#ub.poison> : f32
  %2 = ub.poison {t.a} : f32
  return
}
// -----
func.func @f() {
  %0 = ub.poison <5 : i32> : i32
  return
}
// -----
func.func @f() {
  %0 = "ub.poison"() : () -> i32
  %1 = "ub.poison"() <{value = #ub.poison}> : () -> i32
  return
}
