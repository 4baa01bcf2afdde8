// passes: directives, inline-callees, normalise, lower-affine, unroll, flatten-memrefs, canonicalise, expand, licm, forward, promote, if-convert, licm, forward, canonicalise, annotate, narrow, tidy, rewrite, tidy, hoist-from-guards, copies, schedule, bind, tidy-circuit

// A frame for the function, one for the loop, a multiplier and two read ports.
func.func @dot(%a: memref<16xi16>, %b: memref<16xi16>) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = affine.for %i = 0 to 16 iter_args(%acc = %zero) -> (i32) {
    %x = affine.load %a[%i] : memref<16xi16>
    %y = affine.load %b[%i] : memref<16xi16>
    %xe = arith.extsi %x : i16 to i32
    %ye = arith.extsi %y : i16 to i32
    %p = arith.muli %xe, %ye : i32
    %next = arith.addi %acc, %p : i32
    affine.yield %next : i32
  }
  return %sum : i32
}

//> module {
//>   hw.module @dot(in %clock : !seq.clock, in %reset : i1, in %start : i1, in %a_rdata : i16, in %b_rdata : i16, out ready : i1, out done : i1, out result0 : i32, out a_raddr : i4, out a_ren : i1, out b_raddr : i4, out b_ren : i1) attributes {sluice.interface = [{depth = 16 : i64, kind = "memory", name = "a", read = true, shape = array<i64: 16>, source = "a", width = 16 : i64, write = false}, {depth = 16 : i64, kind = "memory", name = "b", read = true, shape = array<i64: 16>, source = "b", width = 16 : i64, write = false}, {kind = "result", name = "result0", width = 32 : i64}]} {
//>     %true = hw.constant true
//>     %0 = comb.xor %40, %true : i1
//>     %1 = comb.and %start, %0 : i1
//>     %false = hw.constant false
//>     %2 = seq.compreg %1, %clock reset %reset, %false {name = "run_t0"} : i1
//>     %c0_i6 = hw.constant 0 : i6
//>     %c1_i6 = hw.constant 1 : i6
//>     %3 = seq.compreg %11, %clock reset %reset, %false {name = "i_loop_t0"} : i1
//>     %4 = comb.add %8, %c1_i6 : i6
//>     %c15_i6 = hw.constant 15 : i6
//>     %5 = comb.icmp eq %8, %c15_i6 : i6
//>     %6 = comb.mux %2, %c0_i6, %4 : i6
//>     %7 = comb.or %2, %3 : i1
//>     %8 = seq.compreg.ce %6, %clock, %7 {name = "i"} : i6
//>     %9 = comb.xor %5, %true : i1
//>     %10 = comb.and %3, %9 : i1
//>     %11 = comb.or %2, %10 : i1
//>     %12 = comb.and %3, %5 : i1
//>     %13 = comb.extract %8 from 0 : (i6) -> i4
//>     %14 = comb.extract %a_rdata from 15 : (i16) -> i1
//>     %15 = comb.replicate %14 : (i1) -> i16
//>     %16 = comb.concat %15, %a_rdata : i16, i16
//>     %17 = comb.extract %b_rdata from 15 : (i16) -> i1
//>     %18 = comb.replicate %17 : (i1) -> i16
//>     %19 = comb.concat %18, %b_rdata : i16, i16
//>     %20 = seq.compreg %3, %clock reset %reset, %false {name = "i_loop_t1"} : i1
//>     %c0_i32 = hw.constant 0 : i32
//>     %21 = seq.compreg %28, %clock {name = "next_r0"} : i32
//>     %22 = seq.compreg %2, %clock reset %reset, %false {name = "i_loop_first0"} : i1
//>     %23 = seq.compreg %22, %clock reset %reset, %false {name = "i_loop_first1"} : i1
//>     %24 = seq.compreg %23, %clock reset %reset, %false {name = "i_loop_first2"} : i1
//>     %25 = seq.compreg %24, %clock reset %reset, %false {name = "i_loop_first3"} : i1
//>     %26 = comb.mux %25, %c0_i32, %21 : i32
//>     %27 = seq.compreg %42, %clock {name = "p_r0"} : i32
//>     %28 = comb.add %26, %27 : i32
//>     %29 = seq.compreg %20, %clock reset %reset, %false {name = "i_loop_t2"} : i1
//>     %30 = seq.compreg %29, %clock reset %reset, %false {name = "i_loop_t3"} : i1
//>     %31 = seq.compreg.ce %28, %clock, %30 {name = "next_r"} : i32
//>     %32 = seq.compreg %12, %clock reset %reset, %false {name = "i_leave"} : i1
//>     %33 = seq.compreg %32, %clock reset %reset, %false {name = "i_leave_1"} : i1
//>     %34 = seq.compreg %33, %clock reset %reset, %false {name = "i_leave_2"} : i1
//>     %35 = seq.compreg %34, %clock reset %reset, %false {name = "run_t1"} : i1
//>     %36 = seq.compreg.ce %31, %clock, %35 {name = "result0_r"} : i32
//>     %37 = comb.xor %35, %true : i1
//>     %38 = comb.and %40, %37 : i1
//>     %39 = comb.or %1, %38 : i1
//>     %40 = seq.compreg %39, %clock reset %reset, %false {name = "busy"} : i1
//>     %41 = seq.compreg %35, %clock reset %reset, %false {name = "done_r"} : i1
//>     %42 = hw.instance "mul_32_l1" @sluice_mul_32_l1(clock: %clock: !seq.clock, reset: %reset: i1, left: %16: i32, right: %19: i32) -> (result: i32)
//>     %43 = comb.xor %40, %true : i1
//>     hw.output %43, %41, %36, %13, %3, %13, %3 : i1, i1, i32, i4, i1, i4, i1
//>   }
//>   hw.module @sluice_mul_32_l1(in %clock : !seq.clock, in %reset : i1, in %left : i32, in %right : i32, out result : i32) attributes {sluice.class = "multiply", sluice.latency = 1 : i64, sluice.width = 32 : i64} {
//>     %0 = comb.mul %left, %right : i32
//>     %1 = seq.compreg %0, %clock {name = "product_r"} : i32
//>     hw.output %1 : i32
//>   }
//> }
