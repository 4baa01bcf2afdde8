// passes: merge-equal-nets

// A register that never changes leaves comparisons with what no value is beyond, and of constants.
hw.module @comparisons(in %clock: !seq.clock, in %reset: i1, in %x: i1, in %y: i4, out a: i1, out b: i1, out c: i1, out d: i1, out e: i1, out f: i1) {
  %false = hw.constant false
  %zero = hw.constant 0 : i4
  %five = hw.constant 5 : i4
  %most = hw.constant 7 : i4
  %kept = seq.compreg %kept_next, %clock reset %reset, %false : i1
  %kept_next = comb.and %kept, %x : i1
  %never_more = comb.icmp ule %kept, %x : i1
  %never_less = comb.icmp slt %kept, %x : i1
  %may_be = comb.icmp ult %kept, %x : i1
  %beyond = comb.icmp sgt %y, %most : i4
  %itself = comb.icmp uge %y, %y : i4
  %known = comb.icmp ult %five, %zero : i4
  hw.output %never_more, %never_less, %may_be, %beyond, %itself, %known : i1, i1, i1, i1, i1, i1
}

//> module {
//>   hw.module @comparisons(in %clock : !seq.clock, in %reset : i1, in %x : i1, in %y : i4, out a : i1, out b : i1, out c : i1, out d : i1, out e : i1, out f : i1) {
//>     %false = hw.constant false
//>     %true = hw.constant true
//>     %false_0 = hw.constant false
//>     %0 = comb.icmp ult %false, %x : i1
//>     %false_1 = hw.constant false
//>     %true_2 = hw.constant true
//>     %false_3 = hw.constant false
//>     hw.output %true, %false_0, %0, %false_1, %true_2, %false_3 : i1, i1, i1, i1, i1, i1
//>   }
//> }
