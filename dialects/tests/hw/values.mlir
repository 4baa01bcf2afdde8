hw.module @arrays(in %a : !hw.array<4xi8>, in %i : i2, in %x : i8, in %s : !hw.array<2xarray<3xi1>>) {
  %0 = hw.array_create %x, %x, %x, %x : i8
  %1 = hw.array_concat %0, %a : !hw.array<4xi8>, !hw.array<4xi8>
  %2 = hw.array_get %a[%i] : !hw.array<4xi8>, i2
  %3 = hw.array_slice %a[%i] : (!hw.array<4xi8>) -> !hw.array<2xi8>
  %4 = hw.array_inject %a[%i], %x : !hw.array<4xi8>, i2
  %5 = hw.aggregate_constant [1 : i8, 2 : i8] : !hw.array<2xi8>
  %6 = hw.bitcast %a : (!hw.array<4xi8>) -> i32
  %7 = hw.array_create %x : i8 -> !hw.typealias<@t::@one, !hw.array<1xi8>>
}
// -----
hw.module @structures(in %s : !hw.struct<a: i8, b: !hw.array<2xi1>, "c d": i3>, in %x : i8) {
  %a, %b, %c = hw.struct_explode %s : !hw.struct<a: i8, b: !hw.array<2xi1>, "c d": i3>
  %0 = hw.struct_create (%a, %b, %c) : !hw.struct<a: i8, b: !hw.array<2xi1>, "c d": i3>
  %1 = hw.struct_extract %0["a"] : !hw.struct<a: i8, b: !hw.array<2xi1>, "c d": i3>
  %2 = hw.struct_inject %0["a"], %x : !hw.struct<a: i8, b: !hw.array<2xi1>, "c d": i3>
  %3 = hw.aggregate_constant [1 : i8, [true, false]] : !hw.struct<a: i8, b: !hw.array<2xi1>>
}
// -----
hw.module @unions(in %u : !hw.union<a: i8, b: i3 offset 2>, in %x : i3) {
  %0 = hw.union_create "b", %x : !hw.union<a: i8, b: i3 offset 2>
  %1 = hw.union_extract %u["a"] : !hw.union<a: i8, b: i3 offset 2>
}
// -----
hw.module @cases(in %e : !hw.enum<up, down>, out r : i1) {
  %up = hw.enum.constant up : !hw.enum<up, down>
  %0 = hw.enum.cmp %e, %up : !hw.enum<up, down>, !hw.enum<up, down>
  hw.output %0 : i1
}
// -----
hw.module @nets(in %a : i8, in %t : i1) {
  %w = hw.wire %a : i8
  %0 = hw.wire %a : i8
  %v = hw.wire %a name "other" : i8
  %u = hw.wire %a sym @s name "u" {kept} : i8
  %c5 = hw.constant 5 : i8
  %true = hw.constant true
  %x = hw.constant -3 : i4
  hw.triggered posedge %t (%a) : i8 {
  ^bb0(%b : i8):
  }
}
// -----
hw.type_scope @types {
  hw.typedecl @word : i8
  hw.typedecl @pair, "pair_t" : !hw.struct<a: i8, b: i8>
}
hw.module @uses(in %a : !hw.typealias<@types::@word, i8>, in %b : !hw.uarray<3xstruct<a: i1>>, inout %c : i8) {
}
// -----
hw.module @e(in %a : !hw.array<4xi8>, in %i : i3) {
  %0 = hw.array_get %a[%i] : !hw.array<4xi8>, i3
}
// -----
hw.module @e() {
  %0 = hw.array_create : i8
}
// -----
hw.module @e(in %a : !hw.array<4xi8>, in %i : i2) {
  %0 = hw.array_slice %a[%i] : (!hw.array<4xi8>) -> !hw.array<8xi8>
}
// -----
hw.module @e(in %a : i8) {
  %0 = hw.struct_extract %a["x"] : i8
}
// -----
hw.module @e(in %s : !hw.struct<a: i8>) {
  %0 = hw.struct_extract %s["b"] : !hw.struct<a: i8>
}
// -----
hw.module @e(in %s : !hw.struct<a: i8>) {
  %0 = "hw.struct_extract"(%s) {fieldIndex = 3 : i32} : (!hw.struct<a: i8>) -> i8
}
// -----
hw.module @e(in %s : !hw.struct<a: i8>) {
  %0 = "hw.struct_extract"(%s) {fieldIndex = 0 : i32} : (!hw.struct<a: i8>) -> i4
}
// -----
hw.module @e(in %s : !hw.struct<a: i8, a: i4>) {
}
// -----
hw.module @e(in %a : i8) {
  %0 = hw.bitcast %a : (i8) -> i9
}
// -----
hw.module @e() {
  %0 = hw.aggregate_constant [1 : i8] : !hw.array<2xi8>
}
// -----
hw.module @e() {
  %0 = hw.aggregate_constant [1 : i4, 2 : i4] : !hw.array<2xi8>
}
// -----
hw.module @e() {
  %0 = hw.enum.constant left : !hw.enum<up, down>
}
// -----
hw.module @e() {
  %0 = hw.constant "x"
}
// -----
hw.module @e(in %a : i8) {
  %0 = hw.wire %a sym [<@x,1,loud>] : i8
}
