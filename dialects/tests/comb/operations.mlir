hw.module @arithmetic(in %a : i8, in %b : i8, in %c : i8, out r : i8) {
  %0 = comb.add %a, %b, %c : i8
  %1 = comb.add bin %a, %b : i8
  %2 = comb.sub %0, %1 : i8
  %3 = comb.sub bin %0, %1 {note = "kept"} : i8
  %4 = comb.mul %2, %3 : i8
  %5 = comb.divu %4, %a : i8
  %6 = comb.divs bin %5, %b : i8
  %7 = comb.modu %6, %c : i8
  %8 = comb.mods %7, %c : i8
  hw.output %8 : i8
}
// -----
hw.module @logic(in %a : i8, in %b : i8, in %p : i1, out r : i8, out s : i1) {
  %0 = comb.and %a, %b, %a : i8
  %1 = comb.or bin %0, %b : i8
  %2 = comb.xor %0, %1 : i8
  %3 = comb.shl %2, %a : i8
  %4 = comb.shru %3, %a : i8
  %5 = comb.shrs bin %4, %b : i8
  %6 = comb.parity %5 : i8
  %7 = comb.parity bin %5 : i8
  %8 = comb.mux %6, %4, %5 : i8
  %9 = comb.mux bin %p, %6, %7 : i1
  %10 = comb.reverse %8 : i8
  hw.output %10, %9 : i8, i1
}
// -----
hw.module @comparisons(in %a : i8, in %b : i8) {
  %0 = comb.icmp eq %a, %b : i8
  %1 = comb.icmp ne %a, %b : i8
  %2 = comb.icmp slt %a, %b : i8
  %3 = comb.icmp sle %a, %b : i8
  %4 = comb.icmp sgt %a, %b : i8
  %5 = comb.icmp sge %a, %b : i8
  %6 = comb.icmp ult %a, %b : i8
  %7 = comb.icmp ule %a, %b : i8
  %8 = comb.icmp ugt %a, %b : i8
  %9 = comb.icmp bin uge %a, %b : i8
  %10 = comb.icmp ceq %a, %b : i8
  %11 = comb.icmp cne %a, %b : i8
  %12 = comb.icmp weq %a, %b : i8
  %13 = comb.icmp bin wne %a, %b : i8
}
// -----
hw.module @shapes(in %a : i8, in %b : i3, in %p : i1, in %q : i1) {
  %0 = comb.concat %a, %b, %b : i8, i3, i3
  %1 = comb.extract %0 from 3 : (i14) -> i5
  %2 = comb.replicate %b : (i3) -> i12
  %3 = comb.truth_table %p, %q -> [true, false, false, true]
  %4 = comb.truth_table %p -> [false, true] {kept}
  %5 = comb.concat %a : i8
}
// -----
hw.module @aliases(in %a : !hw.typealias<@t::@word, i8>) {
  %0 = comb.add %a, %a : !hw.typealias<@t::@word, i8>
  %1 = comb.concat %0, %a : !hw.typealias<@t::@word, i8>, !hw.typealias<@t::@word, i8>
}
// -----
hw.module @e(in %a : i8) {
  %0 = comb.extract %a from 6 : (i8) -> i3
}
// -----
hw.module @e(in %a : i8) {
  %0 = comb.replicate %a : (i8) -> i12
}
// -----
hw.module @e(in %a : i8) {
  %0 = comb.replicate %a : (i8) -> i4
}
// -----
hw.module @e(in %a : i1) {
  %0 = comb.truth_table %a -> [true]
}
// -----
hw.module @e() {
  %0 = comb.and : i8
}
// -----
hw.module @e(in %a : f32) {
  %0 = comb.add %a, %a : f32
}
// -----
hw.module @e(in %a : i8) {
  %0 = comb.icmp less %a, %a : i8
}
// -----
hw.module @e(in %a : i8, in %b : i4) {
  %0 = "comb.add"(%a, %b) : (i8, i4) -> i8
}
