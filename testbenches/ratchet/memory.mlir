// A memory that is written and read at addresses of two counters.
hw.module @memory(in %clock : !seq.clock, out sum : i16) {
  %true = hw.constant true
  %one = hw.constant 1 : i6
  %three = hw.constant 3 : i6
  %seven = hw.constant 7 : i16
  %w1 = comb.add %wa, %one : i6
  %wa = seq.compreg %w1, %clock : i6
  %r1 = comb.add %ra, %three : i6
  %ra = seq.compreg %r1, %clock : i6
  %m = seq.firmem 1, 1, old, undefined : <64 x 16>
  %read = seq.firmem.read_port %m[%ra], clock %clock enable %true : <64 x 16>
  %n = comb.mul %acc, %seven : i16
  %data = comb.add %n, %read, %seven : i16
  seq.firmem.write_port %m[%wa] = %data, clock %clock enable %true : <64 x 16>
  %next = comb.xor %acc, %data : i16
  %acc = seq.compreg %next, %clock : i16
  hw.output %acc : i16
}
