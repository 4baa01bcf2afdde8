// Each module on the cycle simulator and under Verilator; several clocks have the periods 1, 2, ...

// What registers hold at the start, resets with and without a clock, registers in a row.
hw.module @regs(in %clk : !seq.clock, in %rst : i1, in %a : i8, in %en : i1, out q0 : i8, out q1 : i8, out q2 : i8, out q3 : i8, out q4 : i8) {
  %c5 = hw.constant 5 : i8
  %init = seq.initial () {
    %x = hw.constant 7 : i8
    %y = hw.constant 3 : i8
    %s = comb.add %x, %y : i8
    seq.yield %s : i8
  } : () -> !seq.immutable<i8>
  %q0 = seq.compreg %a, %clk initial %init : i8
  %q1 = seq.firreg %a clock %clk reset async %rst, %c5 preset 9 : i8
  %q2 = seq.shiftreg[3] %a, %clk, %en reset %rst, %c5 : i8
  %q3 = seq.firreg %n clock %clk reset sync %rst, %c5 : i8
  %n = comb.add %q3, %q1 : i8
  %q4 = seq.from_immutable %init : (!seq.immutable<i8>) -> i8
  hw.output %q0, %q1, %q2, %q3, %q4 : i8, i8, i8, i8, i8
}

// Masks, latencies, what is read where it is written.
hw.module @mems(in %clk : !seq.clock, in %ra : i4, in %re : i1, in %wa : i4, in %we : i1, in %wd : i16, in %m : i4, in %mode : i1, out d0 : i16, out d1 : i16, out d2 : i16, out d3 : i16) {
  %m0 = seq.firmem 0, 1, undefined, port_order : <12 x 16, mask 4>
  %d0 = seq.firmem.read_port %m0[%ra], clock %clk enable %re : <12 x 16, mask 4>
  seq.firmem.write_port %m0[%wa] = %wd, clock %clk enable %we mask %m : <12 x 16, mask 4>, i4
  seq.firmem.write_port %m0[%ra] = %wd, clock %clk enable %re mask %m : <12 x 16, mask 4>, i4
  %m1 = seq.firmem 1, 1, old, undefined : <16 x 16>
  %d1 = seq.firmem.read_port %m1[%ra], clock %clk enable %re : <16 x 16>
  seq.firmem.write_port %m1[%wa] = %wd, clock %clk enable %we : <16 x 16>
  %m2 = seq.firmem 2, 2, new, undefined : <16 x 16>
  %d2 = seq.firmem.read_port %m2[%ra], clock %clk : <16 x 16>
  seq.firmem.write_port %m2[%wa] = %wd, clock %clk enable %we : <16 x 16>
  %m3 = seq.firmem 1, 1, undefined, undefined : <16 x 16, mask 2>
  %m2b = comb.extract %m from 0 : (i4) -> i2
  %d3 = seq.firmem.read_write_port %m3[%ra] = %wd if %mode, clock %clk enable %re mask %m2b : <16 x 16, mask 2>, i2
  hw.output %d0, %d1, %d2, %d3 : i16, i16, i16, i16
}

// Queues with thresholds and with a read latency.
hw.module @queue(in %clk : !seq.clock, in %rst : i1, in %d : i8, in %r : i1, in %w : i1, out o : i8, out f : i1, out e : i1, out af : i1, out ae : i1, out o2 : i8, out e2 : i1) {
  %o, %f, %e, %af, %ae = seq.fifo depth 3 almost_full 2 almost_empty 1 in %d rdEn %r wrEn %w clk %clk rst %rst : i8
  %o2, %f2, %e2 = seq.fifo depth 4 rd_latency 1   in %d rdEn %r wrEn %w clk %clk rst %rst : i8
  hw.output %o, %f, %e, %af, %ae, %o2, %e2 : i8, i1, i1, i1, i1, i8, i1
}

// Clocks of clocks and of data.
hw.module @clocks(in %clk : !seq.clock, in %a : i8, in %en : i1, in %sel : i1, out g : i8, out i : i8, out d : i8, out m : i8, out x : i1, out t : i8, out y : i8) {
  %gc = seq.clock_gate %clk, %en
  %ic = seq.clock_inv %clk
  %dc = seq.clock_div %clk by 2
  %mc = seq.clock_mux %sel, %clk, %ic
  %x = seq.from_clock %clk
  %g = seq.compreg %a, %gc : i8
  %i = seq.compreg %g, %ic : i8
  %d = seq.compreg %a, %dc : i8
  %m = seq.compreg %a, %mc : i8
  %tc = seq.to_clock %b
  %b = comb.extract %cnt from 0 : (i8) -> i1
  %one = hw.constant 1 : i8
  %next = comb.add %cnt, %one : i8
  %cnt = seq.compreg %next, %clk : i8
  %t = seq.compreg %cnt, %tc : i8
  %igc = seq.clock_inv %gc
  %y = seq.compreg %a, %igc : i8
  hw.output %g, %i, %d, %m, %x, %t, %y : i8, i8, i8, i8, i1, i8, i8
}

// A clock and the bit that gates it change in one moment; inverses that are 1 at first.
hw.module @moments(in %clk : !seq.clock, in %a : i8, in %en : i1, out g : i8, out i : i8, out n : i8, out d : i8, out m : i8) {
  %three = hw.constant 3 : i8
  %next = comb.add %cnt, %three : i8
  %cnt = seq.compreg %next, %clk : i8
  %bit = comb.extract %cnt from 1 : (i8) -> i1
  %enable = comb.extract %cnt from 3 : (i8) -> i1
  %tc = seq.to_clock %bit
  %gc = seq.clock_gate %tc, %enable
  %g = seq.compreg %next, %gc : i8
  %igc = seq.clock_inv %gc
  %i = seq.compreg %a, %igc : i8
  %rc = seq.clock_gate %clk, %en
  %irc = seq.clock_inv %rc
  %up = comb.add %n, %three : i8
  %n = seq.compreg %up, %irc : i8
  %dc = seq.clock_div %irc by 1
  %gdc = seq.clock_gate %dc, %bit
  %d = seq.compreg %a, %gdc : i8
  %memory = seq.firmem 0, 1, undefined, undefined : <4 x 8>
  %ad = comb.extract %cnt from 0 : (i8) -> i2
  %t = hw.constant true
  seq.firmem.write_port %memory[%ad] = %a, clock %irc enable %t : <4 x 8>
  %m = seq.firmem.read_port %memory[%ad], clock %clk : <4 x 8>
  hw.output %g, %i, %n, %d, %m : i8, i8, i8, i8, i8
}

// Two clocks; memories between them.
hw.module @several(in %fast : !seq.clock, in %slow : !seq.clock, in %a : i8, out o : i8, out p : i8) {
  %f = seq.compreg %a, %fast : i8
  %s = seq.compreg %f, %slow : i8
  %o = seq.compreg %s, %fast : i8
  %m = seq.firmem 1, 1, old, undefined : <4 x 8>
  %ad = comb.extract %a from 0 : (i8) -> i2
  %t = hw.constant true
  seq.firmem.write_port %m[%ad] = %a, clock %fast enable %t : <4 x 8>
  %p = seq.firmem.read_port %m[%ad], clock %slow : <4 x 8>
  hw.output %o, %p : i8, i8
}

// Arrays, structures, unions, enumerations, fields without bits.
hw.module @aggr(in %a : !hw.array<5xi7>, in %i : i3, in %s : !hw.struct<x: i3, y: i9, z: i0>, in %e : i7, in %v : i9, out o0 : i7, out o1 : !hw.array<2xi7>, out o2 : !hw.array<5xi7>, out o3 : i9, out o4 : !hw.struct<x: i3, y: i9, z: i0>, out o5 : i12, out o6 : !hw.union<a: i4, b: i9>, out o7 : i4, out o8 : i1, out o9 : i7) {
  %o0 = hw.array_get %a[%i] : !hw.array<5xi7>, i3
  %o1 = hw.array_slice %a[%i] : (!hw.array<5xi7>) -> !hw.array<2xi7>
  %o2 = hw.array_inject %a[%i], %e : !hw.array<5xi7>, i3
  %o3 = hw.struct_extract %s["y"] : !hw.struct<x: i3, y: i9, z: i0>
  %o4 = hw.struct_inject %s["y"], %v : !hw.struct<x: i3, y: i9, z: i0>
  %o5 = hw.bitcast %s : (!hw.struct<x: i3, y: i9, z: i0>) -> i12
  %o6 = hw.union_create "b", %v : !hw.union<a: i4, b: i9>
  %o7 = hw.union_extract %o6["a"] : !hw.union<a: i4, b: i9>
  %x, %y, %z = hw.struct_explode %s : !hw.struct<x: i3, y: i9, z: i0>
  %A = hw.enum.constant A : !hw.enum<A, B, C>
  %C = hw.enum.constant C : !hw.enum<A, B, C>
  %c = comb.icmp eq %y, %v : i9
  %en = comb.mux %c, %A, %C : !hw.enum<A, B, C>
  %o8 = hw.enum.cmp %en, %C : !hw.enum<A, B, C>, !hw.enum<A, B, C>
  %k = hw.aggregate_constant [1 : i7, 2 : i7, 3 : i7, 4 : i7, 5 : i7] : !hw.array<5xi7>
  %o9 = hw.array_get %k[%i] : !hw.array<5xi7>, i3
  hw.output %o0, %o1, %o2, %o3, %o4, %o5, %o6, %o7, %o8, %o9 : i7, !hw.array<2xi7>, !hw.array<5xi7>, i9, !hw.struct<x: i3, y: i9, z: i0>, i12, !hw.union<a: i4, b: i9>, i4, i1, i7
}

// Parameters.
hw.module @par<W: i8 = 3, V: i8 = 2>(in %a : i8, out o : i8) {
  %w = hw.param.value i8 = #hw.param.expr.add<#hw.param.decl.ref<"W">, #hw.param.decl.ref<"V">>
  %o = comb.add %a, %w : i8
  hw.output %o : i8
}

hw.module @partop(in %a : i8, out o : i8, out p : i8) {
  %o = hw.instance "x" @par<W: i8 = 1, V: i8 = 4>(a: %a: i8) -> (o: i8)
  %p = hw.instance "y" @par<W: i8 = 9, V: i8 = 100>(a: %a: i8) -> (o: i8)
  hw.output %o, %p : i8, i8
}

// Where an index is beyond its dimension, 0 is read and nothing written, as in a reset.
hw.module @dimensions(in %clk : !seq.clock, in %rst : i1, in %i : i2, in %j : i3, in %d : i8, in %w : i1, out now : i8, out later : i8) {
  %on = hw.constant true
  %m = seq.hlmem @store %clk, %rst : <3x5xi8>
  %now = seq.read %m[%i, %j] {latency = 0 : i64} : !seq.hlmem<3x5xi8>
  %later = seq.read %m[%i, %j] rden %on {latency = 2 : i64} : !seq.hlmem<3x5xi8>
  seq.write %m[%i, %j] %d wren %w {latency = 1 : i64} : !seq.hlmem<3x5xi8>
  hw.output %now, %later : i8, i8
}

// Words are numbered by all of their indices.
hw.module @store_of_three_dimensions(in %clk : !seq.clock, in %rst : i1, in %d : i8, in %w : i1, in %i : i1, in %j : i1, in %k : i2,
    in %p : i1, in %q : i1, in %r : i2, out now : i8) {
  %m = seq.hlmem @store %clk, %rst : <2x2x4xi8>
  %now = seq.read %m[%i, %j, %k] {latency = 0 : i64} : !seq.hlmem<2x2x4xi8>
  seq.write %m[%p, %q, %r] %d wren %w {latency = 1 : i64} : !seq.hlmem<2x2x4xi8>
  hw.output %now : i8
}

// The only word of a memory, or of a dimension of it, has a number without bits.
hw.module @only_word(in %clk : !seq.clock, in %rst : i1, in %i : i2, in %d : i8, in %w : i1, in %e : i1, out now : i8, out later : i8, out row : i8) {
  %only = hw.constant 0 : i0
  %m = seq.hlmem @word %clk, %rst : <1xi8>
  %now = seq.read %m[%only] {latency = 0 : i64} : !seq.hlmem<1xi8>
  %later = seq.read %m[%only] rden %e {latency = 1 : i64} : !seq.hlmem<1xi8>
  seq.write %m[%only] %d wren %w {latency = 1 : i64} : !seq.hlmem<1xi8>
  %n = seq.hlmem @rows %clk, %rst : <3x1xi8>
  %row = seq.read %n[%i, %only] rden %e {latency = 1 : i64} : !seq.hlmem<3x1xi8>
  seq.write %n[%i, %only] %d wren %w {latency = 1 : i64} : !seq.hlmem<3x1xi8>
  hw.output %now, %later, %row : i8, i8, i8
}

// Ports without bits are not there.
hw.module @nothing(in %z : i0, in %x : i3, out none : i0, out y : i3) {
  hw.output %z, %x : i0, i3
}
