hw.module @plain(in %a : i8, in %b "other name" : i8, in %c kept : i1, out r : i8, out "s t" : i1) {
  hw.output %a, %c : i8, i1
}
hw.module private @hidden() attributes {note = 1 : i32} {
}
hw.module.extern @outside(in %a : i8, out r : i8) attributes {verilogName = "real_name"}
hw.module.extern private @nothing()
hw.module @attributes(in %a : i8 {x.y = 1 : i32}, out r : i8 {x.z}) {
  hw.output %a : i8
}
// -----
hw.generator.schema @memory, "Memory", ["depth", "width"]
hw.module.generated @m, @memory(in %a : i8, out r : i8) attributes {depth = 4 : i64, width = 8 : ui32}
// -----
hw.module.extern @sized<width: i32, name: none = "x">(in %a : !hw.int<#hw.param.decl.ref<"width">>, out r : i8)
hw.module @user<n: i32 = 8, m: i32>(in %a : i8, out r : i8) {
  %i.r = hw.instance "i" @sized<width: i32 = 8, name: none = "y">(a: %a: i8) -> (r: i8)
  %0 = hw.param.value i32 = #hw.param.decl.ref<"m">
  %1 = hw.param.value i32 = #hw.param.expr.add<#hw.param.decl.ref<"n">, 3>
  hw.output %i.r : i8
}
// -----
hw.module.extern @leaf(in %x : i8, out y : i8, out z : i1)
hw.module @top(in %a : i8, out r : i8) {
  %one.y, %one.z = hw.instance "one" @leaf(x: %a: i8) -> (y: i8, z: i1)
  %two.y, %two.z = hw.instance "two" sym @here @leaf(x: %one.y: i8) -> (y: i8, z: i1) {kept = true}
  hw.output %two.y : i8
}
hw.hierpath @path [@top::@here, @leaf]
hw.hierpath private @other [@top::@here]
// -----
hw.module @graph(in %a : i8, out r : i8) {
  %0 = comb.add %1, %a : i8
  %1 = comb.xor %0, %a : i8
  hw.output %1 : i8
}
// -----
hw.module @both(inout %a : i8, in %b : i8) {
}
// -----
hw.module @e(in %a : i8, out r : i8) {
}
// -----
hw.module @e(in %a : i8, out r : i4) {
  hw.output %a : i8
}
// -----
hw.module @e(in %a : i8) {
  hw.instance "i" @nowhere(a: %a: i8) -> ()
}
// -----
func.func private @f()
hw.module @e(in %a : i8) {
  hw.instance "i" @f(a: %a: i8) -> ()
}
// -----
hw.module.extern @leaf(in %x : i8)
hw.module @e(in %a : i4) {
  hw.instance "i" @leaf(x: %a: i4) -> ()
}
// -----
hw.module.extern @leaf(in %x : i8)
hw.module @e(in %a : i8) {
  hw.instance "i" @leaf(y: %a: i8) -> ()
}
// -----
hw.module.extern @leaf(in %x : i8)
hw.module @e(in %a : i8) {
  hw.instance "i" @leaf() -> ()
}
// -----
hw.module.extern @leaf(out x : i8)
hw.module @e() {
  %0 = hw.instance "i" @leaf() -> (x: i4)
}
// -----
hw.module.extern @leaf<n: i32>()
hw.module @e() {
  hw.instance "i" @leaf() -> ()
}
// -----
hw.module.extern @leaf<n: i32>()
hw.module @e() {
  hw.instance "i" @leaf<m: i32 = 1>() -> ()
}
// -----
hw.module.extern @leaf<n: i32>()
hw.module @e() {
  hw.instance "i" @leaf<n: i32 = #hw.param.decl.ref<"unknown">>() -> ()
}
// -----
hw.module.extern @leaf<n: i32, n: i32>()
// -----
hw.module.extern @leaf<n: i32 = #hw.param.decl.ref<"m">, m: i32>()
// -----
hw.module @e(up %a : i8) {
}
// -----
hw.module.generated @m, @nowhere()
// -----
hw.module.extern @m() attributes {parameters = []}
