// Circuits of arc: what is between registers is a function of its own.

// A function that calls another one, and uses what it is given twice.
arc.define @double(%a : i8) -> i8 {
  %sum = comb.add %a, %a : i8
  arc.output %sum : i8
}

arc.define @step(%a : i8, %b : i8) -> (i8, i8) {
  %twice = arc.call @double(%a) : (i8) -> i8
  %next = comb.xor %twice, %b : i8
  arc.output %next, %a : i8, i8
}

// Registers, alone and in rows; one holds what it holds.
hw.module @registers(in %clock : !seq.clock, in %a : i8, in %b : i8, in %enable : i1, in %reset : i1, out x : i8, out y : i8, out z : i8, out w : i8, out counted : i8, out held : i8) {
  %0:2 = arc.state @step(%a, %b) clock %clock latency 1 : (i8, i8) -> (i8, i8)
  %1:2 = arc.state @step(%0#0, %a) clock %clock enable %enable reset %reset latency 3 {names = ["fast", "slow"]} : (i8, i8) -> (i8, i8)
  %2 = arc.state @increment(%2) clock %clock enable %enable reset %reset latency 1 : (i8) -> i8
  %seven = hw.constant 7 : i8
  %3 = arc.state @same(%3) clock %clock initial (%seven : i8) latency 1 : (i8) -> i8
  %4 = arc.call @double(%b) : (i8) -> i8
  arc.tap %4 {names = ["shown", "again"]} : i8
  hw.output %0#0, %1#0, %1#1, %4, %2, %3 : i8, i8, i8, i8, i8, i8
}

arc.define @increment(%a : i8) -> i8 {
  %one = hw.constant 1 : i8
  %sum = comb.add %a, %one : i8
  arc.output %sum : i8
}

arc.define @same(%a : i8) -> i8 {
  arc.output %a : i8
}

// Values of another type than a number are 0 after a reset too.
arc.define @turn(%a : !hw.array<2xi4>) -> !hw.array<2xi4> {
  %low = hw.constant 0 : i1
  %high = hw.constant 1 : i1
  %0 = hw.array_get %a[%low] : !hw.array<2xi4>, i1
  %1 = hw.array_get %a[%high] : !hw.array<2xi4>, i1
  %turned = hw.array_create %0, %1 : i4
  arc.output %turned : !hw.array<2xi4>
}

hw.module @arrays(in %clock : !seq.clock, in %a : !hw.array<2xi4>, in %reset : i1, out x : !hw.array<2xi4>) {
  %0 = arc.state @turn(%a) clock %clock reset %reset latency 2 : (!hw.array<2xi4>) -> !hw.array<2xi4>
  hw.output %0 : !hw.array<2xi4>
}

// Memories with as many words as numbers of their address, and with fewer.
hw.module @memories(in %clock : !seq.clock, in %i : i2, in %j : i3, in %k : i40, in %d : i12, in %w : i1, in %m : i12, out x : i12, out y : i12, out z : i12) {
  %all = arc.memory <4 x i12, i2> {name = "all"}
  %0 = arc.memory_read_port %all[%i] : <4 x i12, i2>
  arc.memory_write_port %all, @write(%i, %d) clock %clock latency 1 : <4 x i12, i2>, i2, i12
  %five = arc.memory <5 x i12, i3>
  %1 = arc.memory_read_port %five[%j] : <5 x i12, i3>
  arc.memory_write_port %five, @masked(%j, %d, %w, %m) clock %clock enable mask latency 1 : <5 x i12, i3>, i3, i12, i1, i12
  %far = arc.memory <3 x i12, i40>
  %2 = arc.memory_read_port %far[%k] : <3 x i12, i40>
  %low = comb.extract %k from 0 : (i40) -> i2
  %zeros = hw.constant 0 : i38
  %near = comb.concat %zeros, %low : i38, i2
  arc.memory_write_port %far, @enabled(%near, %d, %w) clock %clock enable latency 3 : <3 x i12, i40>, i40, i12, i1
  %3 = arc.memory_read_port %far[%near] : <3 x i12, i40>
  %either = comb.mux %w, %2, %3 : i12
  hw.output %0, %1, %either : i12, i12, i12
}

arc.define @write(%a : i2, %d : i12) -> (i2, i12) {
  arc.output %a, %d : i2, i12
}

arc.define @masked(%a : i3, %d : i12, %w : i1, %m : i12) -> (i3, i12, i1, i12) {
  %ones = hw.constant -1 : i12
  %mask = comb.xor %m, %ones : i12
  arc.output %a, %d, %w, %mask : i3, i12, i1, i12
}

arc.define @enabled(%a : i40, %d : i12, %w : i1) -> (i40, i12, i1) {
  arc.output %a, %d, %w : i40, i12, i1
}

// Tables in functions and outside, and zeros from both ends of what is not 0.
arc.define @table(%a : i3) -> i5 {
  %0 = arc.lut(%a) : (i3) -> i5 {
  ^bb0(%b : i3):
    %zeros = hw.constant 0 : i2
    %wide = comb.concat %zeros, %b : i2, i3
    %square = comb.mul %wide, %wide : i5
    arc.output %square : i5
  }
  arc.output %0 : i5
}

hw.module @tables(in %a : i3, in %b : i7, out x : i5, out leading : i7, out trailing : i7, out one : i1) {
  %0 = arc.call @table(%a) : (i3) -> i5
  %first = hw.constant -64 : i7
  %last = hw.constant 1 : i7
  %1 = comb.or %b, %last : i7
  %2 = arc.zero_count leading %1 : i7
  %3 = comb.or %b, %first : i7
  %4 = arc.zero_count trailing %3 : i7
  %5 = arc.lut() : () -> i1 {
    %true = hw.constant true
    arc.output %true : i1
  }
  hw.output %0, %2, %4, %5 : i5, i7, i7, i1
}

// One function of several values: side by side, in words outside, and in words inside.
hw.module @vectors(in %a : i3, in %b : i3, in %c : i3, in %d : i3, in %v : i6, in %w : i6, out o0 : i3, out o1 : i3, out o2 : i6, out o3 : i3, out o4 : i3) {
  %0:2 = arc.vectorize (%a, %b), (%c, %d) : (i3, i3, i3, i3) -> (i3, i3) {
  ^bb0(%x : i3, %y : i3):
    %sum = comb.add %x, %y : i3
    arc.vectorize.return %sum : i3
  }
  %1 = arc.vectorize (%v), (%w) : (i6, i6) -> i6 {
  ^bb0(%x : i2, %y : i2):
    %difference = comb.sub %x, %y : i2
    arc.vectorize.return %difference : i2
  }
  %2:2 = arc.vectorize (%a, %b), (%c, %d) : (i3, i3, i3, i3) -> (i3, i3) {
  ^bb0(%x : i6, %y : i6):
    %both = comb.xor %x, %y : i6
    arc.vectorize.return %both : i6
  }
  hw.output %0#0, %0#1, %1, %2#0, %2#1 : i3, i3, i6, i3, i3
}

// Conditionals, one in another, are choices.
arc.define @choose(%a : i8, %b : i8, %c : i1, %d : i1) -> (i8, i8) {
  %sum = comb.add %a, %b : i8
  %0:2 = scf.if %c -> (i8, i8) {
    %1 = scf.if %d -> (i8) {
      %difference = comb.sub %sum, %b : i8
      scf.yield %difference : i8
    } else {
      scf.yield %b : i8
    }
    scf.yield %1, %sum : i8, i8
  } else {
    %product = comb.mul %a, %b : i8
    scf.yield %product, %a : i8, i8
  }
  arc.output %0#0, %0#1 : i8, i8
}

hw.module @conditionals(in %clock : !seq.clock, in %a : i8, in %b : i8, in %c : i1, in %d : i1, out x : i8, out y : i8) {
  %0:2 = arc.state @choose(%a, %b, %c, %d) clock %clock latency 1 : (i8, i8, i1, i1) -> (i8, i8)
  hw.output %0#0, %0#1 : i8, i8
}

// A function with a register of its own, whose first value stands in it, and one that nobody calls.
arc.define @delayed(%clock : !seq.clock, %a : i8) -> i8 {
  %first = seq.initial() {
    %nine = hw.constant 9 : i8
    seq.yield %nine : i8
  } : () -> !seq.immutable<i8>
  %register = seq.compreg %a, %clock initial %first : i8
  arc.output %register : i8
}

arc.define @unused(%a : i8) -> i8 {
  arc.output %a : i8
}

hw.module @inner_registers(in %clock : !seq.clock, in %a : i8, out x : i8) {
  %0 = arc.call @delayed(%clock, %a) : (!seq.clock, i8) -> i8
  hw.output %0 : i8
}
