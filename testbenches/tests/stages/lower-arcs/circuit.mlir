// passes: lower-arcs

// What is called is put in place, and a state becomes registers behind it; the first result of a function that passes it through is its input.
arc.define @step(%a : i8, %b : i8) -> (i8, i8) {
  %sum = comb.add %a, %b : i8
  arc.output %sum, %a : i8, i8
}

hw.module @registers(in %clock : !seq.clock, in %a : i8, in %enable : i1, in %reset : i1, out x : i8, out y : i8) {
  %five = hw.constant 5 : i8
  %0:2 = arc.state @step(%0#0, %a) clock %clock enable %enable reset %reset initial (%five, %five : i8, i8) latency 1 {names = ["total", "last"]} : (i8, i8) -> (i8, i8)
  %1:2 = arc.call @step(%0#1, %a) : (i8, i8) -> (i8, i8)
  arc.tap %1#0 {names = ["shown"]} : i8
  hw.output %1#0, %1#1 : i8, i8
}

// A memory without all the words that its address can name.
arc.define @write(%a : i3, %d : i4, %w : i1) -> (i3, i4, i1) {
  arc.output %a, %d, %w : i3, i4, i1
}

hw.module @memory(in %clock : !seq.clock, in %i : i3, in %d : i4, in %w : i1, out x : i4) {
  %memory = arc.memory <5 x i4, i3>
  %0 = arc.memory_read_port %memory[%i] : <5 x i4, i3>
  arc.memory_write_port %memory, @write(%i, %d, %w) clock %clock enable latency 2 : <5 x i4, i3>, i3, i4, i1
  hw.output %0 : i4
}

// Words of two values each.
hw.module @words(in %a : i4, in %b : i4, out x : i4) {
  %0 = arc.vectorize (%a), (%b) : (i4, i4) -> i4 {
  ^bb0(%c : i2, %d : i2):
    %1 = comb.sub %c, %d : i2
    arc.vectorize.return %1 : i2
  }
  hw.output %0 : i4
}

hw.module @zeros(in %a : i3, out x : i3, out y : i3) {
  %0 = arc.zero_count leading %a : i3
  %1 = arc.lut(%a) : (i3) -> i3 {
  ^bb0(%b : i3):
    %2 = arc.zero_count trailing %b : i3
    arc.output %2 : i3
  }
  hw.output %0, %1 : i3, i3
}

//> module {
//>   hw.module @registers(in %clock : !seq.clock, in %a : i8, in %enable : i1, in %reset : i1, out x : i8, out y : i8) {
//>     %c5_i8 = hw.constant 5 : i8
//>     %0 = seq.initial() {
//>       %c5_i8_1 = hw.constant 5 : i8
//>       seq.yield %c5_i8_1 : i8
//>     } : () -> !seq.immutable<i8>
//>     %1 = seq.initial() {
//>       %c5_i8_1 = hw.constant 5 : i8
//>       seq.yield %c5_i8_1 : i8
//>     } : () -> !seq.immutable<i8>
//>     %2 = comb.add %total, %a : i8
//>     %c0_i8 = hw.constant 0 : i8
//>     %total = seq.compreg.ce %2, %clock, %enable reset %reset, %c0_i8 initial %0 : i8
//>     %c0_i8_0 = hw.constant 0 : i8
//>     %last = seq.compreg.ce %total, %clock, %enable reset %reset, %c0_i8_0 initial %1 : i8
//>     %3 = comb.add %last, %a : i8
//>     %shown = hw.wire %3  : i8
//>     hw.output %3, %last : i8, i8
//>   }
//>   hw.module @memory(in %clock : !seq.clock, in %i : i3, in %d : i4, in %w : i1, out x : i4) {
//>     %memory = seq.firmem 0, 1, undefined, port_order : <5 x 4>
//>     %c-3_i3 = hw.constant -3 : i3
//>     %0 = comb.icmp ult %i, %c-3_i3 : i3
//>     %1 = seq.const_clock low
//>     %2 = seq.firmem.read_port %memory[%i], clock %1 : <5 x 4>
//>     %c0_i4 = hw.constant 0 : i4
//>     %3 = comb.mux %0, %2, %c0_i4 : i4
//>     %4 = seq.compreg %i, %clock : i3
//>     %5 = seq.compreg %d, %clock : i4
//>     %6 = seq.compreg %w, %clock : i1
//>     %c-3_i3_0 = hw.constant -3 : i3
//>     %7 = comb.icmp ult %4, %c-3_i3_0 : i3
//>     %8 = comb.and %7, %6 : i1
//>     seq.firmem.write_port %memory[%4] = %5, clock %clock enable %8 : <5 x 4>
//>     hw.output %3 : i4
//>   }
//>   hw.module @words(in %a : i4, in %b : i4, out x : i4) {
//>     %0 = comb.extract %a from 2 : (i4) -> i2
//>     %1 = comb.extract %b from 2 : (i4) -> i2
//>     %2 = comb.sub %0, %1 : i2
//>     %3 = comb.extract %a from 0 : (i4) -> i2
//>     %4 = comb.extract %b from 0 : (i4) -> i2
//>     %5 = comb.sub %3, %4 : i2
//>     %6 = comb.concat %2, %5 : i2, i2
//>     hw.output %6 : i4
//>   }
//>   hw.module @zeros(in %a : i3, out x : i3, out y : i3) {
//>     %c3_i3 = hw.constant 3 : i3
//>     %0 = comb.extract %a from 0 : (i3) -> i1
//>     %c2_i3 = hw.constant 2 : i3
//>     %1 = comb.mux %0, %c2_i3, %c3_i3 : i3
//>     %2 = comb.extract %a from 1 : (i3) -> i1
//>     %c1_i3 = hw.constant 1 : i3
//>     %3 = comb.mux %2, %c1_i3, %1 : i3
//>     %4 = comb.extract %a from 2 : (i3) -> i1
//>     %c0_i3 = hw.constant 0 : i3
//>     %5 = comb.mux %4, %c0_i3, %3 : i3
//>     %c3_i3_0 = hw.constant 3 : i3
//>     %6 = comb.extract %a from 2 : (i3) -> i1
//>     %c2_i3_1 = hw.constant 2 : i3
//>     %7 = comb.mux %6, %c2_i3_1, %c3_i3_0 : i3
//>     %8 = comb.extract %a from 1 : (i3) -> i1
//>     %c1_i3_2 = hw.constant 1 : i3
//>     %9 = comb.mux %8, %c1_i3_2, %7 : i3
//>     %10 = comb.extract %a from 0 : (i3) -> i1
//>     %c0_i3_3 = hw.constant 0 : i3
//>     %11 = comb.mux %10, %c0_i3_3, %9 : i3
//>     hw.output %5, %11 : i3, i3
//>   }
//> }
