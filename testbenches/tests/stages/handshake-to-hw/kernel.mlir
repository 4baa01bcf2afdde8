// passes: handshake-to-hw, tidy-circuit

// The ports of a kernel: arguments are captured with the start, results when they return.
handshake.func @kernel(%n: i8, %A: memref<4xi8>, %go: none) -> (i8, none) attributes {sluice.arguments = [{name = "n", width = 8 : i64}, {name = "A", width = 8 : i64}], sluice.results = [{width = 8 : i64}]} {
  %place = arith.trunci %n : i8 to i2
  %word, %asks = load [%place] %m#0, %go : i2, i8
  %m:2 = extmemory[ld = 1, st = 0] (%A : memref<4xi8>) (%asks) {id = 0 : i32} : (i2) -> (i8, none)
  return %word, %m#1 : i8, none
}

//> module {
//>   hw.module @kernel(in %clock : !seq.clock, in %reset : i1, in %start : i1, in %n : i8, in %A_rdata : i8, out ready : i1, out done : i1, out result0 : i8, out A_raddr : i2, out A_ren : i1) attributes {sluice.interface = [{kind = "scalar", name = "n", source = "n", width = 8 : i64}, {depth = 4 : i64, kind = "memory", name = "A", read = true, shape = array<i64: 4>, source = "A", width = 8 : i64, write = false}, {kind = "result", name = "result0", width = 8 : i64}]} {
//>     %0 = comb.or %n_full, %start_full, %busy : i1
//>     %true = hw.constant true
//>     %1 = comb.xor %0, %true : i1
//>     %2 = comb.and %start, %1 : i1
//>     %n_r = seq.compreg.ce %n, %clock, %2 {sluice.data = [0]} : i8
//>     %3 = comb.mux %m_load0_fresh, %A_rdata, %m_load0_held {sluice.data = [3, 5]} : i8
//>     %4 = comb.extract %n_r from 0 {sluice.data = [2, 4]} : (i8) -> i2
//>     %5 = comb.and %n_full, %start_full {sluice.valid = [4]} : i1
//>     %6 = comb.xor %m_load0_done, %true : i1
//>     %7 = comb.and %m_load0_full, %6 : i1
//>     %8 = comb.xor %m_load0_full, %true : i1
//>     %9 = comb.and %m_load0_done, %8 : i1
//>     %10 = comb.or %7, %9 : i1
//>     %11 = comb.xor %10, %true {sluice.ready = [4]} : i1
//>     %false = hw.constant false
//>     %12 = comb.and %11, %start_full {sluice.ready = [0, 2]} : i1
//>     %13 = comb.and %11, %n_full {sluice.ready = [1]} : i1
//>     %14 = comb.and %5, %11 : i1
//>     %15 = comb.or %14, %7 : i1
//>     %m_load0_held = seq.compreg.ce %A_rdata, %clock, %m_load0_fresh : i8
//>     %m_load0_fresh = seq.compreg %14, %clock reset %reset, %false : i1
//>     %m_load0_full = seq.compreg %15, %clock reset %reset, %false {sluice.ready = [6], sluice.valid = [3, 5]} : i1
//>     %16 = comb.or %14, %9 : i1
//>     %m_load0_done = seq.compreg %16, %clock reset %reset, %false {sluice.ready = [3, 5], sluice.valid = [6]} : i1
//>     %17 = comb.and %m_load0_full, %m_load0_done : i1
//>     %result0_r = seq.compreg.ce %3, %clock, %17 : i8
//>     %18 = comb.xor %12, %true : i1
//>     %19 = comb.and %n_full, %18 : i1
//>     %20 = comb.or %2, %19 : i1
//>     %n_full = seq.compreg %20, %clock reset %reset, %false {sluice.valid = [0, 2]} : i1
//>     %21 = comb.xor %13, %true : i1
//>     %22 = comb.and %start_full, %21 : i1
//>     %23 = comb.or %2, %22 : i1
//>     %start_full = seq.compreg %23, %clock reset %reset, %false {sluice.valid = [1]} : i1
//>     %24 = comb.xor %17, %true : i1
//>     %25 = comb.and %busy, %24 : i1
//>     %26 = comb.or %2, %25 : i1
//>     %busy = seq.compreg %26, %clock reset %reset, %false : i1
//>     %done_r = seq.compreg %17, %clock reset %reset, %false : i1
//>     hw.output %1, %done_r, %result0_r, %4, %14 : i1, i1, i8, i2, i1
//>   }
//> }
