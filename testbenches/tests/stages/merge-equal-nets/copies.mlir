// passes: merge-equal-nets

// Two registers that always hold the same, one of them inverted; a third that never changes; what waits for all three is one of them.
hw.module @copies(in %clock: !seq.clock, in %reset: i1, in %x: i1, in %data: i8, out y: i1, out z: i8) {
  %false = hw.constant false
  %true = hw.constant true
  %zero = hw.constant 0 : i8
  %first = seq.compreg %next, %clock reset %reset, %false : i1
  %second = seq.compreg %inverse, %clock reset %reset, %true : i1
  %never = seq.compreg %both, %clock reset %reset, %false : i1
  %next = comb.xor %first, %x : i1
  %not_next = comb.xor %second, %x : i1
  %inverse = comb.and %not_next, %true : i1
  %both = comb.and %first, %second : i1
  %any = comb.or %first, %never : i1
  %held = seq.compreg.ce %data, %clock, %both : i8
  %shown = comb.mux %never, %held, %data : i8
  hw.output %any, %shown : i1, i8
}

// A bit of a number is what it was while the number is kept: nothing differs while it waits.
hw.module @predicates(in %clock: !seq.clock, in %reset: i1, in %go: i1, in %number: i8, out same: i1) {
  %false = hw.constant false
  %true = hw.constant true
  %limit = hw.constant 10 : i8
  %kept = seq.compreg.ce %number, %clock, %go : i8
  %below = comb.icmp ult %kept, %limit : i8
  %went = seq.compreg %go, %clock reset %reset, %true : i1
  %before = seq.compreg %below, %clock reset %reset, %false : i1
  %differ = comb.xor %below, %before : i1
  %stayed = comb.xor %went, %true : i1
  %may_not = comb.and %differ, %stayed : i1
  %same = comb.xor %may_not, %true : i1
  hw.output %same : i1
}

//> module {
//>   hw.module @copies(in %clock : !seq.clock, in %reset : i1, in %x : i1, in %data : i8, out y : i1, out z : i8) {
//>     %false = hw.constant false
//>     %first = seq.compreg %0, %clock reset %reset, %false : i1
//>     %0 = comb.xor %first, %x : i1
//>     hw.output %first, %data : i1, i8
//>   }
//>   hw.module @predicates(in %clock : !seq.clock, in %reset : i1, in %go : i1, in %number : i8, out same : i1) {
//>     %true = hw.constant true
//>     hw.output %true : i1
//>   }
//> }
