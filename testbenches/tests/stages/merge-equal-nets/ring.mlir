// passes: merge-equal-nets

// One token goes round three registers: no two neighbours ever hold one, which only follows with the other pairs.
hw.module @ring(in %clock : !seq.clock, in %reset : i1, in %go : i1, out both : i1, out at : i1) {
  %false = hw.constant false
  %true = hw.constant true
  %first = seq.compreg %first_next, %clock reset %reset, %true : i1
  %second = seq.compreg %second_next, %clock reset %reset, %false : i1
  %third = seq.compreg %third_next, %clock reset %reset, %false : i1
  %first_next = comb.mux %go, %third, %first : i1
  %second_next = comb.mux %go, %first, %second : i1
  %third_next = comb.mux %go, %second, %third : i1
  %both = comb.and %first, %second : i1
  hw.output %both, %third : i1, i1
}

//> module {
//>   hw.module @ring(in %clock : !seq.clock, in %reset : i1, in %go : i1, out both : i1, out at : i1) {
//>     %false = hw.constant false
//>     %true = hw.constant true
//>     %first = seq.compreg %0, %clock reset %reset, %true : i1
//>     %second = seq.compreg %1, %clock reset %reset, %false : i1
//>     %third = seq.compreg %2, %clock reset %reset, %false : i1
//>     %0 = comb.mux %go, %third, %first : i1
//>     %1 = comb.mux %go, %first, %second : i1
//>     %2 = comb.mux %go, %second, %third : i1
//>     %false_0 = hw.constant false
//>     hw.output %false_0, %third : i1, i1
//>   }
//> }
