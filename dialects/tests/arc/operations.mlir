hw.module @registers(in %c : !seq.clock, in %a : i42, in %b : i9, in %e : i1, in %r : i1) {
  %0:2 = arc.state @Both(%a, %b) clock %c latency 1 : (i42, i9) -> (i42, i9)
  %1:2 = arc.state @Both(%a, %b) clock %c enable %e latency 1 : (i42, i9) -> (i42, i9)
  %2:2 = arc.state @Both(%a, %b) clock %c enable %e reset %r latency 3 {names = ["x", "y"]} : (i42, i9) -> (i42, i9)
  %3 = arc.state @One(%a) clock %c reset %r initial (%a : i42) latency 1 : (i42) -> i42
  arc.state @None() clock %c latency 1 : () -> ()
  %4 = arc.call @One(%a) : (i42) -> i42
  arc.call @None() {kept} : () -> ()
  arc.tap %4 {names = ["one", "two"]} : i42
}
arc.define @Both(%arg0: i42, %arg1: i9) -> (i42, i9) {
  %0 = comb.add %arg0, %arg0 : i42
  arc.output %0, %arg1 : i42, i9
}
arc.define @One(%arg0: i42) -> i42 attributes {kept} {
  arc.output %arg0 : i42
}
arc.define @None() {
  arc.output
}
// -----
arc.define @table(%a: i32, %b: i8) -> i8 {
  %0 = arc.lut() : () -> i32 {
    %c0_i32 = hw.constant 0 : i32
    arc.output %c0_i32 : i32
  }
  %1 = arc.lut(%b, %a) : (i8, i32) -> i8 attributes {kept} {
  ^bb0(%arg0: i8, %arg1: i32):
    arc.output %arg0 : i8
  }
  %2 = arc.zero_count leading %a : i32
  %3 = arc.zero_count trailing %1 {kept} : i8
  arc.output %3 : i8
}
// -----
hw.module @memories(in %c : !seq.clock, in %i : i2, in %d : i32, in %w : i1, in %m : i32) {
  %mem = arc.memory <4 x i32, i2>
  %0 = arc.memory_read_port %mem[%i] : <4 x i32, i2>
  arc.memory_write_port %mem, @identity(%i, %d) clock %c latency 1 : <4 x i32, i2>, i2, i32
  arc.memory_write_port %mem, @enabled(%i, %d, %w) clock %c enable latency 2 : <4 x i32, i2>, i2, i32, i1
  arc.memory_write_port %mem, @masked(%i, %d, %w, %m) clock %c enable mask latency 3 {kept} : <4 x i32, i2>, i2, i32, i1, i32
}
arc.define @identity(%arg0: i2, %arg1: i32) -> (i2, i32) {
  arc.output %arg0, %arg1 : i2, i32
}
arc.define @enabled(%arg0: i2, %arg1: i32, %arg2: i1) -> (i2, i32, i1) {
  arc.output %arg0, %arg1, %arg2 : i2, i32, i1
}
arc.define @masked(%arg0: i2, %arg1: i32, %arg2: i1, %arg3: i32) -> (i2, i32, i1, i32) {
  arc.output %arg0, %arg1, %arg2, %arg3 : i2, i32, i1, i32
}
// -----
hw.module @vectors(in %a: i1, in %b: i1, in %c: i1, in %d: i1, in %w: i4, out o0: i1, out o1: i1, out o2: i4, out o3: i1) {
  %0:2 = arc.vectorize (%a, %b), (%c, %d) : (i1, i1, i1, i1) -> (i1, i1) {
  ^bb0(%arg0: i1, %arg1: i1):
    %1 = comb.and %arg0, %arg1 : i1
    arc.vectorize.return %1 : i1
  }
  %2 = arc.vectorize (%w), (%w) {kept} : (i4, i4) -> i4 {
  ^bb0(%arg0: i1, %arg1: i1):
    %1 = comb.and %arg0, %arg1 : i1
    arc.vectorize.return %1 : i1
  }
  %3:2 = arc.vectorize (%a, %b), (%c, %d) : (i1, i1, i1, i1) -> (i1, i1) {
  ^bb0(%arg0: i2, %arg1: i2):
    %1 = comb.and %arg0, %arg1 : i2
    arc.vectorize.return %1 : i2
  }
  hw.output %0#0, %0#1, %2, %3#0 : i1, i1, i4, i1
}
// -----
hw.module @type(in %m : !arc.memory<4 x i32, i2>) {
}
