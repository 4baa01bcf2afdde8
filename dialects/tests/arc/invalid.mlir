arc.define @Foo(%arg0: i42) -> i42 {
  arc.output %arg0 : i42
}
hw.module @Module(in %c : !seq.clock, in %a: i42) {
  %0 = arc.state @Foo(%a) clock %c latency 0 : (i42) -> i42
}
// -----
arc.define @Foo(%arg0: i42) -> i42 {
  arc.output %arg0 : i42
}
hw.module @Module(in %a: i42) {
  %0 = arc.state @Foo(%a) latency 1 : (i42) -> i42
}
// -----
hw.module @Module(in %c : !seq.clock, in %a: i42) {
  %0 = arc.state @Bar(%a) clock %c latency 1 : (i42) -> i42
}
// -----
arc.define @Foo(%arg0: i42) -> i42 {
  arc.output %arg0 : i42
}
hw.module @Module(in %c : !seq.clock, in %a: i41) {
  %0 = arc.call @Foo(%a) : (i41) -> i42
}
// -----
arc.define @Foo(%arg0: i42) -> i42 {
  arc.output %arg0 : i42
}
hw.module @Module(in %c : !seq.clock, in %a: i42) {
  %0:2 = arc.call @Foo(%a) : (i42) -> (i42, i42)
}
// -----
arc.define @Foo(%arg0: i42) -> i42 {
  arc.output
}
// -----
arc.define @Foo(%arg0: i42) -> i42 {
  arc.output %arg0, %arg0 : i42, i42
}
// -----
arc.define @Foo(%arg0: i42) -> i41 {
  arc.output %arg0 : i42
}
// -----
arc.define @Foo(%arg0: !seq.clock, %arg1: i42) -> i42 {
  %0 = seq.compreg %arg1, %arg0 : i42
  arc.output %0 : i42
}
// -----
arc.define @Foo(%arg0: !seq.clock, %arg1: i42) -> i42 {
  %0 = arc.state @Bar(%arg1) clock %arg0 latency 1 : (i42) -> i42
  arc.output %0 : i42
}
arc.define @Bar(%arg0: i42) -> i42 {
  arc.output %arg0 : i42
}
// -----
arc.define @lut(%arg1: i42) {
  %0 = arc.lut(%arg1) : (i42) -> i42 {
  ^bb0(%arg2: i42):
    %0 = hw.wire %arg2 : i42
    arc.output %0 : i42
  }
  arc.output
}
// -----
arc.define @lut(%arg0: !seq.clock, %arg1: i42) -> i42 {
  %0 = arc.lut(%arg1) : (i42) -> i32 {
  ^bb0(%arg2: i42):
    arc.output %arg2 : i42
  }
  arc.output %arg1 : i42
}
// -----
hw.module @m(in %c : !seq.clock, in %i : i2, in %d : i32) {
  %mem = arc.memory <4 x i32, i2>
  arc.memory_write_port %mem, @identity(%i, %d) clock %c enable latency 1 : <4 x i32, i2>, i2, i32
}
arc.define @identity(%arg0: i2, %arg1: i32) -> (i2, i32) {
  arc.output %arg0, %arg1 : i2, i32
}
// -----
hw.module @m(in %c : !seq.clock, in %i : i2, in %d : i32) {
  %mem = arc.memory <4 x i32, i2>
  arc.memory_write_port %mem, @identity(%i, %d) latency 1 : <4 x i32, i2>, i2, i32
}
arc.define @identity(%arg0: i2, %arg1: i32) -> (i2, i32) {
  arc.output %arg0, %arg1 : i2, i32
}
// -----
hw.module @m(in %c : !seq.clock, in %i : i3, in %d : i32) {
  %mem = arc.memory <4 x i32, i2>
  %0 = arc.memory_read_port %mem[%i] : <4 x i32, i2>
}
// -----
hw.module @m(in %a: i1, in %b: i1) {
  %0:2 = arc.vectorize (%a, %b), (%a) : (i1, i1, i1) -> (i1, i1) {
  ^bb0(%arg0: i1, %arg1: i1):
    arc.vectorize.return %arg0 : i1
  }
}
// -----
hw.module @m(in %a: i1, in %b: i2) {
  %0:2 = arc.vectorize (%a, %b) : (i1, i2) -> (i1, i1) {
  ^bb0(%arg0: i1):
    arc.vectorize.return %arg0 : i1
  }
}
// -----
hw.module @m(in %a: i1, in %b: i1) {
  %0 = arc.vectorize (%a, %b) : (i1, i1) -> i1 {
  ^bb0(%arg0: i1):
    arc.vectorize.return %arg0 : i1
  }
}
// -----
hw.module @m(in %a: i1, in %b: i1) {
  %0:2 = arc.vectorize (%a, %b) : (i1, i1) -> (i1, i1) {
  ^bb0(%arg0: i1, %arg1: i1):
    arc.vectorize.return %arg0 : i1
  }
}
// -----
hw.module @m(in %a: i1, in %b: i1) {
  %0:2 = arc.vectorize (%a, %b) : (i1, i1) -> (i1, i1) {
  ^bb0(%arg0: i3):
    arc.vectorize.return %arg0 : i3
  }
}
// -----
hw.module @m(in %a: i4) {
  %0 = arc.vectorize (%a) : (i4) -> i4 {
  ^bb0(%arg0: i2):
    %0 = comb.extract %arg0 from 0 : (i2) -> i1
    arc.vectorize.return %0 : i1
  }
}
// -----
hw.module @m(in %a: i4) {
  arc.output %a : i4
}
// -----
hw.module @m(in %a: i4) {
  %0 = arc.zero_count middle %a : i4
}
