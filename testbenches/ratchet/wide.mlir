// Arithmetic wider than a word of the machine.
hw.module @wide(in %clock : !seq.clock, out value : i192) {
  %odd = hw.constant 987654321987654321987654321 : i192
  %c3 = hw.constant 3 : i192
  %c61 = hw.constant 61 : i192
  %p = comb.mul %value, %odd : i192
  %s = comb.add %p, %c3 : i192
  %h = comb.shru %s, %c61 : i192
  %x = comb.xor %s, %h : i192
  %less = comb.icmp ult %x, %value : i192
  %minus = comb.sub %x, %value : i192
  %next = comb.mux %less, %x, %minus : i192
  %value = seq.compreg %next, %clock : i192
  hw.output %value : i192
}
