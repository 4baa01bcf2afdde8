// Clocks that are bits, on their way through instances, structures, words and gates.

hw.module @stage(in %clk : i1, in %d : i8, out q : i8) {
  %c = seq.to_clock %clk
  %r = seq.compreg %d, %c : i8
  hw.output %r : i8
}

// One level.
hw.module @counter(in %clk : i1, out o : i8) {
  %one = hw.constant 1 : i8
  %q = hw.instance "s" @stage(clk: %clk: i1, d: %next: i8) -> (q: i8)
  %next = comb.add %q, %one : i8
  hw.output %next : i8
}

// Two levels, with a wire between them and a register of its own.
hw.module @two_levels(in %k : i1, in %d : i8, out o : i8, out p : i8) {
  %w = hw.wire %k name "w" : i1
  %o = hw.instance "c" @counter(clk: %w: i1) -> (o: i8)
  %q = hw.instance "s" @stage(clk: %k: i1, d: %d: i8) -> (q: i8)
  %c = seq.to_clock %w
  %r = seq.compreg %q, %c : i8
  hw.output %o, %r : i8, i8
}

// A module that hands its clock on, and is used for data too.
hw.module @pass(in %a : i1, out b : i1) {
  hw.output %a : i1
}

hw.module @through_pass(in %clk : i1, in %e : i1, in %d : i8, out o : i8, out f : i1) {
  %k = hw.instance "p" @pass(a: %clk: i1) -> (b: i1)
  %f = hw.instance "n" @pass(a: %e: i1) -> (b: i1)
  %o = hw.instance "s" @stage(clk: %k: i1, d: %d: i8) -> (q: i8)
  hw.output %o, %f : i8, i1
}

// In a structure with data.
hw.module @of_bundle(in %b : !hw.struct<d: i8, clk: i1, e: i3>, out q : i8, out e : i3) {
  %d, %clk, %e = hw.struct_explode %b : !hw.struct<d: i8, clk: i1, e: i3>
  %c = seq.to_clock %clk
  %r = seq.compreg %d, %c : i8
  %s = seq.compreg %e, %c : i3
  hw.output %r, %s : i8, i3
}

hw.module @bundled(in %clk : i1, in %d : i8, in %e : i3, out o : i8, out p : i3) {
  %b = hw.struct_create (%d, %clk, %e) : !hw.struct<d: i8, clk: i1, e: i3>
  %o, %p = hw.instance "i" @of_bundle(b: %b: !hw.struct<d: i8, clk: i1, e: i3>) -> (q: i8, e: i3)
  hw.output %o, %p : i8, i3
}

// A structure in an array in a structure, and back by a word.
hw.module @nested_bundle(in %clk : i1, in %d : i4, out o : i4) {
  %zero = hw.constant 0 : i1
  %i = hw.constant 1 : i1
  %s = hw.struct_create (%d, %clk) : !hw.struct<d: i4, c: i1>
  %t = hw.struct_create (%d, %zero) : !hw.struct<d: i4, c: i1>
  %a = hw.array_create %s, %t : !hw.struct<d: i4, c: i1>
  %w = hw.bitcast %a : (!hw.array<2xstruct<d: i4, c: i1>>) -> i10
  %b = hw.bitcast %w : (i10) -> !hw.array<2xstruct<d: i4, c: i1>>
  %e = hw.array_get %b[%i] : !hw.array<2xstruct<d: i4, c: i1>>, i1
  %k = hw.struct_extract %e["c"] : !hw.struct<d: i4, c: i1>
  %c = seq.to_clock %k
  %r = seq.compreg %d, %c : i4
  hw.output %r : i4
}

// In a word with data, and taken out below.
hw.module @of_word(in %w : i9, out q : i8) {
  %k = comb.extract %w from 8 : (i9) -> i1
  %d = comb.extract %w from 0 : (i9) -> i8
  %c = seq.to_clock %k
  %r = seq.compreg %d, %c : i8
  hw.output %r : i8
}

hw.module @worded(in %clk : i1, in %d : i8, out o : i8) {
  %w = comb.concat %clk, %d : i1, i8
  %o = hw.instance "i" @of_word(w: %w: i9) -> (q: i8)
  hw.output %o : i8
}

// A union of a clock and a word.
hw.module @of_union(in %u : !hw.union<c: i1, w: i4>, in %d : i8, out q : i8) {
  %k = hw.union_extract %u["c"] : !hw.union<c: i1, w: i4>
  %c = seq.to_clock %k
  %r = seq.compreg %d, %c : i8
  hw.output %r : i8
}

hw.module @united(in %clk : i1, in %d : i8, out o : i8) {
  %u = hw.union_create "c", %clk : !hw.union<c: i1, w: i4>
  %o = hw.instance "i" @of_union(u: %u: !hw.union<c: i1, w: i4>, d: %d: i8) -> (q: i8)
  hw.output %o : i8
}

// A gate below, whose enable comes from a register of the same clock.
hw.module @gated_stage(in %clk : i1, in %en : i1, in %d : i8, out q : i8) {
  %c = seq.to_clock %clk
  %g = seq.clock_gate %c, %en
  %r = seq.compreg %d, %g : i8
  hw.output %r : i8
}

hw.module @gated_below(in %clk : i1, in %en : i1, in %d : i8, out o : i8) {
  %c = seq.to_clock %clk
  %e = seq.compreg %en, %c : i1
  %o = hw.instance "g" @gated_stage(clk: %clk: i1, en: %e: i1, d: %d: i8) -> (q: i8)
  hw.output %o : i8
}

// Gates of logic: the clock is what also reaches a register as it is.
hw.module @and_gate(in %clk : i1, in %en : i1, in %d : i8, out o : i8, out p : i8) {
  %ones = hw.constant true
  %c = seq.to_clock %clk
  %e = seq.compreg %en, %n : i1
  %not = comb.xor %clk, %ones : i1
  %n = seq.to_clock %not
  %a = comb.and %clk, %e : i1
  %g = seq.to_clock %a
  %r = seq.compreg %d, %c : i8
  %s = seq.compreg %r, %g : i8
  hw.output %r, %s : i8, i8
}

// Clocks of the type, as bits and back, through instances.
hw.module @typed(in %c : !seq.clock, in %d : i8, out o : i8, out p : i8) {
  %b = seq.from_clock %c
  %o = hw.instance "s" @stage(clk: %b: i1, d: %d: i8) -> (q: i8)
  %r = seq.compreg %o, %c : i8
  hw.output %o, %r : i8, i8
}

// Inverted, divided and chosen clocks of a bit.
hw.module @derived(in %clk : i1, in %d : i8, out o : i8, out p : i8, out q : i8) {
  %c = seq.to_clock %clk
  %i = seq.clock_inv %c
  %h = seq.clock_div %c by 1
  %ib = seq.from_clock %i
  %r = seq.compreg %d, %i : i8
  %s = seq.compreg %d, %h : i8
  %t = hw.instance "s" @stage(clk: %ib: i1, d: %r: i8) -> (q: i8)
  hw.output %r, %s, %t : i8, i8, i8
}

// A ripple counter: each register is the clock of the next.
hw.module @ripple(in %clk : i1, out o : i3) {
  %ones = hw.constant true
  %c0 = seq.to_clock %clk
  %n0 = comb.xor %r0, %ones : i1
  %r0 = seq.compreg %n0, %c0 : i1
  %c1 = seq.to_clock %n0
  %n1 = comb.xor %r1, %ones : i1
  %r1 = seq.compreg %n1, %c1 : i1
  %c2 = seq.to_clock %n1
  %n2 = comb.xor %r2, %ones : i1
  %r2 = seq.compreg %n2, %c2 : i1
  %o = comb.concat %r2, %r1, %r0 : i1, i1, i1
  hw.output %o : i3
}

// A clock that is data too: the stimulus drives it.
hw.module @data_clock(in %k : i1, in %d : i8, out o : i8, out p : i1) {
  %o = hw.instance "s" @stage(clk: %k: i1, d: %d: i8) -> (q: i8)
  hw.output %o, %k : i8, i1
}

// An enable as a clock, beside a clock.
hw.module @enable_clock(in %c : !seq.clock, in %en : i1, in %d : i8, out o : i8, out p : i8) {
  %ones = hw.constant true
  %e = seq.compreg %en, %c : i1
  %k = seq.to_clock %e
  %r = seq.compreg %d, %c : i8
  %s = seq.compreg %r, %k : i8
  hw.output %r, %s : i8, i8
}

// Memories and queues of clocks that are bits below.
hw.module @memory_below(in %clk : i1, in %a : i2, in %d : i8, in %w : i1, out o : i8) {
  %c = seq.to_clock %clk
  %m = seq.firmem 1, 1, old, undefined : <4 x 8>
  %on = hw.constant true
  seq.firmem.write_port %m[%a] = %d, clock %c enable %w : <4 x 8>
  %o = seq.firmem.read_port %m[%a], clock %c enable %on : <4 x 8>
  hw.output %o : i8
}

hw.module @memory_two(in %clk : i1, in %a : i2, in %d : i8, in %w : i1, out o : i8) {
  %q = hw.instance "m" @memory_below(clk: %clk: i1, a: %a: i2, d: %d: i8, w: %w: i1) -> (o: i8)
  %o = hw.instance "s" @stage(clk: %clk: i1, d: %q: i8) -> (q: i8)
  hw.output %o : i8
}

// Two clocks through one level, each for its own instance.
hw.module @two_clocks(in %a : i1, in %b : i1, in %d : i8, out o : i8, out p : i8) {
  %o = hw.instance "x" @stage(clk: %a: i1, d: %d: i8) -> (q: i8)
  %p = hw.instance "y" @stage(clk: %b: i1, d: %o: i8) -> (q: i8)
  hw.output %o, %p : i8, i8
}

// A clock chosen below by a bit that a register of the first holds.
hw.module @chosen(in %a : i1, in %s : i1, in %d : i8, out o : i8) {
  %ca = seq.to_clock %a
  %h = seq.clock_div %ca by 1
  %sel = seq.compreg %s, %h : i1
  %m = seq.clock_mux %sel, %ca, %h
  %r = seq.compreg %d, %m : i8
  hw.output %r : i8
}

// Asynchronous resets below.
hw.module @async_stage(in %clk : i1, in %rst : i1, in %d : i8, out q : i8) {
  %c = seq.to_clock %clk
  %z = hw.constant 5 : i8
  %r = seq.firreg %d clock %c reset async %rst, %z : i8
  hw.output %r : i8
}

hw.module @async_below(in %clk : i1, in %rst : i1, in %d : i8, out o : i8) {
  %q = hw.instance "a" @async_stage(clk: %clk: i1, rst: %rst: i1, d: %d: i8) -> (q: i8)
  %o = hw.instance "b" @async_stage(clk: %clk: i1, rst: %rst: i1, d: %q: i8) -> (q: i8)
  hw.output %o : i8
}

// Clocks of the type in structures and arrays.
hw.module @of_typed(in %s : !hw.struct<c: !seq.clock, d: i8>, out y : i8) {
  %c, %d = hw.struct_explode %s : !hw.struct<c: !seq.clock, d: i8>
  %r = seq.compreg %d, %c : i8
  hw.output %r : i8
}

hw.module @typed_bundle(in %c : !seq.clock, in %d : i8, out y : i8, out z : i8) {
  %s = hw.struct_create (%c, %d) : !hw.struct<c: !seq.clock, d: i8>
  %y = hw.instance "i" @of_typed(s: %s: !hw.struct<c: !seq.clock, d: i8>) -> (y: i8)
  %z = seq.compreg %y, %c : i8
  hw.output %y, %z : i8, i8
}

hw.module @typed_array(in %c : !seq.clock, in %k : !seq.clock, in %d : i8, out y : i8) {
  %i = hw.constant 1 : i1
  %s = hw.array_create %c, %k : !seq.clock
  %e = hw.array_get %s[%i] : !hw.array<2x!seq.clock>, i1
  %r = seq.compreg %d, %e : i8
  hw.output %r : i8
}
