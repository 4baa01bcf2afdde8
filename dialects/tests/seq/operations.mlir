hw.module @registers(in %c : !seq.clock, in %a : i8, in %e : i1, in %r : i1, in %i : !seq.immutable<i8>) {
  %x = seq.compreg %a, %c : i8
  %0 = seq.compreg %a, %c reset %r, %a : i8
  %y = seq.compreg sym @s name "other" %a, %c initial %i : i8
  %z = seq.compreg.ce %a, %c, %e reset %r, %a initial %i {kept} : i8
  %row = seq.shiftreg[3] %a, %c, %e : i8
  %1 = seq.shiftreg[2] sym @t %a, %c, %e reset %r, %a powerOn %a : i8
  %f = seq.firreg %a clock %c : i8
  %g = seq.firreg %a clock %c sym @g reset sync %r, %a preset 3 : i8
  %2 = seq.firreg %a clock %c reset async %r, %a {name = "named"} : i8
}
// -----
hw.module @clocks(in %c : !seq.clock, in %e : i1, out o : !seq.clock, out b : i1) {
  %0 = seq.clock_gate %c, %e
  %1 = seq.clock_gate %c, %e, %e sym @gate
  %2 = seq.clock_mux %e, %0, %1
  %3 = seq.clock_div %2 by 2
  %4 = seq.clock_inv %3
  %5 = seq.const_clock low
  %6 = seq.const_clock high {kept}
  %7 = seq.to_clock %e
  %8 = seq.from_clock %7
  hw.output %4, %8 : !seq.clock, i1
}
// -----
hw.module @memories(in %c : !seq.clock, in %r : i1, in %i : i2, in %j : i3, in %d : i8, in %w : i1) {
  %m = seq.hlmem @m %c, %r : <4x8xi8>
  %m_rdata = seq.read %m[%i, %j] rden %w {latency = 1 : i64} : !seq.hlmem<4x8xi8>
  %0 = seq.read %m[%i, %j] {latency = 0 : i64} : !seq.hlmem<4x8xi8>
  seq.write %m[%i, %j] %d wren %w {latency = 1 : i64} : !seq.hlmem<4x8xi8>
}
// -----
hw.module @queue(in %c : !seq.clock, in %r : i1, in %d : i8, in %w : i1) {
  %out, %full, %empty = seq.fifo depth 4 in %d rdEn %w wrEn %w clk %c rst %r : i8
  %out2, %full2, %empty2, %af, %ae = seq.fifo depth 4 rd_latency 1 almost_full 3 almost_empty 1 in %d rdEn %w wrEn %w clk %c rst %r : i8
}
// -----
hw.module @firrtl(in %c : !seq.clock, in %a : i2, in %d : i8, in %e : i1, in %k : i4) {
  %m = seq.firmem 0, 1, undefined, port_order : <4 x 8, mask 4>
  %n = seq.firmem sym @n name "named" 1, 2, old, undefined {init = #seq.firmem.init<"file", false, true>} : <4 x 8>
  %0 = seq.firmem.read_port %m[%a], clock %c : <4 x 8, mask 4>
  %1 = seq.firmem.read_port %n[%a], clock %c enable %e : <4 x 8>
  seq.firmem.write_port %m[%a] = %d, clock %c enable %e mask %k : <4 x 8, mask 4>, i4
  seq.firmem.write_port %n[%a] = %d, clock %c : <4 x 8>
  %2 = seq.firmem.read_write_port %m[%a] = %d if %e, clock %c mask %k : <4 x 8, mask 4>, i4
}
// -----
hw.module @start(in %a : i8) {
  %0 = seq.initial() {
    %c = hw.constant 3 : i8
    seq.yield %c : i8
  } : () -> !seq.immutable<i8>
  %1 = seq.initial(%0) {
  ^bb0(%x : i8):
    seq.yield %x : i8
  } : (!seq.immutable<i8>) -> !seq.immutable<i8>
  %2 = seq.from_immutable %1 : (!seq.immutable<i8>) -> i8
}
// -----
hw.module @e(in %c : !seq.clock, in %a : i8, in %r : i1) {
  %0 = "seq.compreg"(%a, %c, %r) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>} : (i8, !seq.clock, i1) -> i8
}
// -----
hw.module @e(in %c : !seq.clock, in %a : i8) {
  %0 = seq.shiftreg[0] %a, %c, %c : i8
}
// -----
hw.module @e(in %c : i1, in %a : i8) {
  %0 = seq.compreg %a, %c : i8
}
// -----
hw.module @e(in %c : !seq.clock, in %a : i8) {
  %0 = seq.firreg %a clock %c preset 300 : i8
}
// -----
hw.module @e(in %c : !seq.clock, in %a : i8, in %r : i1) {
  %0 = seq.firreg %a clock %c reset maybe %r, %a : i8
}
// -----
hw.module @e(in %c : !seq.clock, in %r : i1, in %d : i8, in %w : i1) {
  %out, %full, %empty, %af = seq.fifo depth 4 almost_full 5 in %d rdEn %w wrEn %w clk %c rst %r : i8
}
// -----
hw.module @e(in %c : !seq.clock, in %a : i2, in %d : i8, in %k : i4) {
  %m = seq.firmem 0, 1, undefined, undefined : <4 x 8>
  seq.firmem.write_port %m[%a] = %d, clock %c mask %k : <4 x 8>, i4
}
// -----
hw.module @e(in %c : !seq.clock, in %a : i3) {
  %m = seq.firmem 0, 1, undefined, undefined : <4 x 8>
  %0 = seq.firmem.read_port %m[%a], clock %c : <4 x 8>
}
// -----
hw.module @e() {
  %0 = seq.initial() {
    seq.yield
  } : () -> !seq.immutable<i8>
}
// -----
hw.module @only_words(in %c : !seq.clock, in %r : i1, in %d : i8, in %w : i1, in %i : i2, in %none : i0) {
  %m = seq.hlmem @m %c, %r : <1xi8>
  %0 = seq.read %m[%none] {latency = 0 : i64} : !seq.hlmem<1xi8>
  seq.write %m[%none] %d wren %w {latency = 1 : i64} : !seq.hlmem<1xi8>
  %n = seq.hlmem @n %c, %r : <3x1xi8>
  %1 = seq.read %n[%i, %none] rden %w {latency = 1 : i64} : !seq.hlmem<3x1xi8>
}
// -----
hw.module @e(in %c : !seq.clock, in %r : i1, in %i : i1) {
  %m = seq.hlmem @m %c, %r : <1xi8>
  %0 = seq.read %m[%i] {latency = 0 : i64} : !seq.hlmem<1xi8>
}
