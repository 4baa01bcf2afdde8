// passes: handshake-to-hw, tidy-circuit

// A stream for each channel; a fork has a bit per output, a constant from a source vanishes.
handshake.func @streams(%a: i8, %b: i8) -> (i8, i8) {
  %sum = arith.addi %a, %b : i8
  %f:2 = fork [2] %sum : i8
  %kept = buffer [1] seq %f#0 : i8
  %always = source
  %one = constant %always {value = 1 : i8} : i8
  %more = arith.addi %f#1, %one : i8
  return %kept, %more : i8, i8
}

//> module {
//>   hw.module @streams(in %clock : !seq.clock, in %reset : i1, in %a : i8, in %a_valid : i1, in %b : i8, in %b_valid : i1, in %out0_ready : i1, in %out1_ready : i1, out a_ready : i1, out b_ready : i1, out out0 : i8, out out0_valid : i1, out out1 : i8, out out1_valid : i1) {
//>     %true = hw.constant true {sluice.valid = [6, 7]}
//>     %0 = comb.xor %kept_spare, %true {sluice.ready = [3]} : i1
//>     %c1_i8 = hw.constant 1 : i8 {sluice.data = [7]}
//>     %1 = comb.or %f_taken0, %0 : i1
//>     %2 = comb.or %f_taken1, %out1_ready : i1
//>     %3 = comb.and %1, %2 {sluice.ready = [2]} : i1
//>     %4 = comb.and %3, %b_valid {sluice.ready = [0]} : i1
//>     %5 = comb.and %3, %a_valid {sluice.ready = [1]} : i1
//>     %6 = comb.and %a_valid, %b_valid {sluice.valid = [2]} : i1
//>     %7 = comb.add %a, %b {sluice.data = [2, 3, 4]} : i8
//>     %8 = comb.xor %f_taken0, %true : i1
//>     %9 = comb.and %6, %8 {sluice.valid = [3]} : i1
//>     %10 = comb.xor %f_taken1, %true : i1
//>     %11 = comb.and %6, %10 {sluice.valid = [4, 8]} : i1
//>     %12 = comb.add %7, %c1_i8 {sluice.data = [8]} : i8
//>     %13 = comb.xor %3, %true : i1
//>     %14 = comb.and %6, %13 : i1
//>     %15 = comb.and %14, %1 : i1
//>     %false = hw.constant false
//>     %f_taken0 = seq.compreg %15, %clock reset %reset, %false : i1
//>     %16 = comb.and %14, %2 : i1
//>     %f_taken1 = seq.compreg %16, %clock reset %reset, %false : i1
//>     %17 = comb.xor %out0_ready, %true : i1
//>     %18 = comb.and %kept_full, %17 : i1
//>     %19 = comb.xor %18, %true : i1
//>     %20 = comb.or %9, %kept_spare : i1
//>     %21 = comb.and %18, %20 : i1
//>     %22 = comb.mux %kept_spare, %kept_spare_data, %7 : i8
//>     %kept_spare_data = seq.compreg.ce %7, %clock, %0 : i8
//>     %kept_spare = seq.compreg %21, %clock reset %reset, %false : i1
//>     %23 = comb.or %9, %18, %kept_spare : i1
//>     %kept_data = seq.compreg.ce %22, %clock, %19 {sluice.data = [5]} : i8
//>     %kept_full = seq.compreg %23, %clock reset %reset, %false {sluice.valid = [5]} : i1
//>     hw.output %4, %5, %kept_data, %kept_full, %12, %11 : i1, i1, i8, i1, i8, i1
//>   }
//> }
