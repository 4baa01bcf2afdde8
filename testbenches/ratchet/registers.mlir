// A shift register with feedback, a counter and a chain of sums.
hw.module @registers(in %clock : !seq.clock, out sum : i32, out count : i16) {
  %one = hw.constant 1 : i16
  %seed = hw.constant 12345 : i32
  %zero = hw.constant 0 : i32
  %c13 = hw.constant 13 : i32
  %c17 = hw.constant 17 : i32
  %c5 = hw.constant 5 : i32
  %next = comb.add %count, %one : i16
  %count = seq.compreg %next, %clock : i16
  %is_zero = comb.icmp eq %state, %zero : i32
  %from = comb.mux %is_zero, %seed, %state : i32
  %l = comb.shl %from, %c13 : i32
  %a = comb.xor %from, %l : i32
  %r = comb.shru %a, %c17 : i32
  %b = comb.xor %a, %r : i32
  %m = comb.shl %b, %c5 : i32
  %c = comb.xor %b, %m : i32
  %state = seq.compreg %c, %clock : i32
  %d0 = seq.compreg %state, %clock : i32
  %d1 = seq.compreg %d0, %clock : i32
  %d2 = seq.compreg %d1, %clock : i32
  %d3 = seq.compreg %d2, %clock : i32
  %p0 = comb.mul %d0, %d2 : i32
  %p1 = comb.mul %d1, %d3 : i32
  %s0 = comb.add %p0, %p1, %acc : i32
  %acc = seq.compreg %s0, %clock : i32
  %big = comb.icmp ugt %acc, %d3 : i32
  %less = comb.sub %acc, %d3 : i32
  %sum = comb.mux %big, %less, %acc : i32
  hw.output %sum, %count : i32, i16
}
