// passes: tidy-circuit

// A register nobody reads is gone, and with it what only fed it.
hw.module @unused(in %clock: !seq.clock, in %x: i8, out y: i8) {
  %one = hw.constant 1 : i8
  %sum = comb.add %x, %one : i8
  %kept = seq.compreg %x, %clock : i8
  %lost = seq.compreg %sum, %clock : i8
  hw.output %kept : i8
}

//> module {
//>   hw.module @unused(in %clock : !seq.clock, in %x : i8, out y : i8) {
//>     %kept = seq.compreg %x, %clock : i8
//>     hw.output %kept : i8
//>   }
//> }
