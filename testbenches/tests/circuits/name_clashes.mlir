// Ports called as their modules, and values, instances and parameters called as what is made.

hw.module @M(in %M : i1, out o : i1) {
  hw.output %M : i1
}

hw.module @N(in %a : i4, out N : i4) {
  %N_1 = comb.add %a, %a : i4
  hw.output %N_1 : i4
}

hw.module @users(in %users : i4, in %users_1 : i1, out M : i1, out N : i4) {
  %M = hw.instance "M" @M(M: %users_1: i1) -> (o: i1)
  %N = hw.instance "users" @N(a: %users: i4) -> (N: i4)
  hw.output %M, %N : i1, i4
}

// Legal forms that are the module's name, and keywords of Verilog and C++.
hw.module @a_b(in %a.b : i4, in %module : i4, in %signed : i4, in %final : i4, in %int : i4, out endmodule : i4, out logic : i4, out this : i4) {
  %wire = comb.add %a.b, %module : i4
  %reg = comb.xor %signed, %final : i4
  %begin = comb.and %int, %wire : i4
  hw.output %wire, %reg, %begin : i4, i4, i4
}

// Names that are made for values without one.
hw.module @made_names(in %w : i8, in %w_1 : i8, in %w_2 : i8, in %fifo : i8, in %mask : !hw.array<4xi8>, in %distance : i2, out shifted : i8, out w_3 : i8, out element : i1) {
  %0 = comb.add %w, %w_1 : i8
  %1 = comb.sub %0, %w_2 : i8
  %2 = comb.mul %1, %fifo : i8
  %3 = hw.array_get %mask[%distance] : !hw.array<4xi8>, i2
  %4 = comb.xor %3, %2 : i8
  %5 = comb.extract %4 from 3 : (i8) -> i1
  hw.output %4, %2, %5 : i8, i8, i1
}

// Registers, gates and memories whose helpers have names too.
hw.module @helpers(in %c : !seq.clock, in %g_enable : i1, in %d : i8, in %r_0 : i8, in %h_count : i8, in %m_1 : i2, out g : i8, out h : i8, out m : i8, out r : i8) {
  %g = seq.clock_gate %c, %g_enable
  %h = seq.clock_div %c by 1
  %x = seq.compreg %d, %g : i8
  %y = seq.compreg %h_count, %h : i8
  %on = hw.constant true
  %m = seq.firmem 1, 1, old, undefined : <4 x 8>
  seq.firmem.write_port %m[%m_1] = %d, clock %c enable %g_enable : <4 x 8>
  %z = seq.firmem.read_port %m[%m_1], clock %c enable %on : <4 x 8>
  %r = seq.shiftreg[3] %r_0, %c, %on : i8
  hw.output %x, %y, %z, %r : i8, i8, i8, i8
}

// Instances called as ports, as each other and as modules; values called as instances.
hw.module @twice(in %u : i4, in %v : i4, out o : i4, out p : i4, out q : i4) {
  %u_1 = hw.instance "u" @N(a: %u: i4) -> (N: i4)
  %N = hw.instance "u" @N(a: %v: i4) -> (N: i4)
  %twice = hw.instance "twice" @N(a: %N: i4) -> (N: i4)
  hw.output %u_1, %N, %twice : i4, i4, i4
}

// Names with letters that Verilog does not have, and none at all.
hw.module @"m odd-1"(in %p "" : i4, in %q "a b" : i4, in %r "1" : i4, out "a b" : i4, out "\C3\A9" : i4, out "x[3:0]" : i4) {
  %0 = comb.add %q, %r : i4
  %1 = comb.xor %0, %p : i4
  hw.output %0, %1, %0 : i4, i4, i4
}

// No ports, no operations, no bits.
hw.module @nothing() {
  hw.output
}

hw.module @no_bits(in %z : i0, in %a : i4, out o : i0, out p : i4) {
  hw.instance "n" @nothing() -> ()
  %c = comb.concat %z, %a : i0, i4
  hw.output %z, %c : i0, i4
}

hw.module @only_no_bits(in %z : i0, out o : i0) {
  hw.output %z : i0
}

hw.module @holds_nothing(in %z : i0, in %c : !seq.clock, out o : i0, out p : i1) {
  %r = seq.compreg %z, %c : i0
  %o = hw.instance "n" @only_no_bits(z: %r: i0) -> (o: i0)
  %p = comb.icmp eq %o, %z : i0
  hw.output %o, %p : i0, i1
}

// Parameters called as the module and its ports.
hw.module @par<par: i4 = 3, a: i4 = 2, o: i4 = 1>(in %a : i4, in %par_1 : i4, out o : i4) {
  %x = hw.param.value i4 = #hw.param.decl.ref<"par">
  %y = hw.param.value i4 = #hw.param.decl.ref<"a">
  %z = hw.param.value i4 = #hw.param.decl.ref<"o">
  %s = comb.add %a, %par_1, %x, %y, %z : i4
  hw.output %s : i4
}

hw.module @of_par(in %a : i4, out o : i4) {
  %o = hw.instance "par" @par<par: i4 = 5, a: i4 = 4, o: i4 = 7>(a: %a: i4, par_1: %a: i4) -> (o: i4)
  hw.output %o : i4
}
