// passes: lower-arcs

// All that has no circuit is said at once.
arc.define @one(%a : i8) -> i8 {
  %0 = arc.call @other(%a) : (i8) -> i8
  arc.output %0 : i8
}

arc.define @other(%a : i8) -> i8 {
  %0 = arc.call @one(%a) : (i8) -> i8
  arc.output %0 : i8
}

arc.define @same(%a : i8) -> i8 {
  arc.output %a : i8
}

arc.define @word(%i : i2, %d : i8) -> (i2, i8) {
  arc.output %i, %d : i2, i8
}

arc.define @vectors(%v : vector<4xi8>) -> vector<4xi8> {
  %0 = arc.vectorize (%v) : (vector<4xi8>) -> vector<4xi8> {
  ^bb0(%x : i8):
    arc.vectorize.return %x : i8
  }
  arc.output %0 : vector<4xi8>
}

hw.module @circuit(in %clock : !seq.clock, in %a : i8, in %v : vector<4xi8>) {
  %0 = arc.call @one(%a) : (i8) -> i8
  %1 = arc.call @same(%1) : (i8) -> i8
  %2 = arc.state @same(%a) clock %clock initial (%a : i8) latency 1 : (i8) -> i8
  %3 = arc.state @same(%a) clock %clock latency 2000000000 : (i8) -> i8
  %4 = arc.vectorize (%v) : (vector<4xi8>) -> vector<4xi8> {
  ^bb0(%x : i8):
    arc.vectorize.return %x : i8
  }
  %5 = arc.call @vectors(%v) : (vector<4xi8>) -> vector<4xi8>
}

hw.module @inside(in %m : !arc.memory<4 x i8, i2>) {
}

hw.module @memories(in %clock : !seq.clock, in %i : i2, in %d : i8) {
  %slow = arc.memory <4 x i8, i2>
  arc.memory_write_port %slow, @word(%i, %d) clock %clock latency 2000000000 : <4 x i8, i2>, i2, i8
  %shared = arc.memory <4 x i8, i2>
  hw.instance "inside" @inside(m: %shared: !arc.memory<4 x i8, i2>) -> ()
}

//> kernel.mlir:10:8: error: `arc.define @one` calls itself
//>       %0 = arc.call @one(%a) : (i8) -> i8
//>            ^
//> kernel.mlir:32:8: error: `arc.call`: a result that is computed of nothing but itself
//>       %1 = arc.call @same(%1) : (i8) -> i8
//>            ^
//> kernel.mlir:33:8: error: the first value of a register is a constant or comes of `seq.initial`
//>       %2 = arc.state @same(%a) clock %clock initial (%a : i8) latency 1 : (i8) -> i8
//>            ^
//> kernel.mlir:34:8: error: a latency of 2000000000: at most 65536 registers in a row are made
//>       %3 = arc.state @same(%a) clock %clock latency 2000000000 : (i8) -> i8
//>            ^
//> kernel.mlir:35:8: error: values in vectors have no circuit: integers side by side or in one word are expected
//>       %4 = arc.vectorize (%v) : (vector<4xi8>) -> vector<4xi8> {
//>            ^
//> kernel.mlir:23:8: error: values in vectors have no circuit: integers side by side or in one word are expected
//>       %0 = arc.vectorize (%v) : (vector<4xi8>) -> vector<4xi8> {
//>            ^
//> kernel.mlir:47:3: error: a latency of 2000000000: at most 65536 registers in a row are made
//>       arc.memory_write_port %slow, @word(%i, %d) clock %clock latency 2000000000 : <4 x i8, i2>, i2, i8
//>       ^
//> kernel.mlir:49:3: error: `hw.instance` of a memory: only its ports, in the same module, have a circuit
//>       hw.instance "inside" @inside(m: %shared: !arc.memory<4 x i8, i2>) -> ()
//>       ^
//> 8 errors
