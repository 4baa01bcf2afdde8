func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %add = index.add %n, %n
  %sub = index.sub %n, %n {t.a}
  %mul = index.mul %n, %n
  %divs = index.divs %n, %n {t.a}
  %divu = index.divu %n, %n
  %ceildivs = index.ceildivs %n, %n {t.a}
  %ceildivu = index.ceildivu %n, %n
  %floordivs = index.floordivs %n, %n {t.a}
  %rems = index.rems %n, %n
  %remu = index.remu %n, %n {t.a}
  %maxs = index.maxs %n, %n
  %maxu = index.maxu %n, %n {t.a}
  %mins = index.mins %n, %n
  %minu = index.minu %n, %n {t.a}
  %shl = index.shl %n, %n
  %shrs = index.shrs %n, %n {t.a}
  %shru = index.shru %n, %n
  %and = index.and %n, %n {t.a}
  %or = index.or %n, %n
  %xor = index.xor %n, %n {t.a}
  %0 = index.casts %i : i32 to index
  %1 = index.castu %n {t.a} : index to i64
  %ceq = index.cmp eq(%n, %n)
  %cne = index.cmp ne(%n, %n)
  %cslt = index.cmp slt(%n, %n)
  %csle = index.cmp sle(%n, %n)
  %csgt = index.cmp sgt(%n, %n)
  %csge = index.cmp sge(%n, %n)
  %cult = index.cmp ult(%n, %n)
  %cule = index.cmp ule(%n, %n)
  %cugt = index.cmp ugt(%n, %n)
  %cuge = index.cmp uge(%n, %n)
  %2 = index.sizeof
  %3 = index.constant 5
  %4 = index.constant -5 {t.a}
  %5 = index.bool.constant true
  %6 = index.bool.constant false {t.a}
  %7 = index.cmp eq(%n, %n) {t.a}
  %8 = index.sizeof {t.a}
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = index.add %i, %i
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = index.casts %i : i32 to i64
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = index.casts %n : index to index
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = index.casts %x : f32 to index
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = index.cmp foo(%n, %n)
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = index.constant 1.0
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = index.constant 5 : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = index.bool.constant 1
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = index.constant
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = index.cmp eq %n, %n
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = "index.add"(%n, %n) : (index, index) -> i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = "index.constant"() <{value = 5 : i32}> : () -> index
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = "index.cmp"(%n, %n) <{pred = #index<cmp_predicate eq>}> : (index, index) -> i1
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  "t.x"() {a = #index<cmp_predicate ult>} : () -> ()
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  "t.x"() {a = #index<cmp_predicate foo>} : () -> ()
  return
}
