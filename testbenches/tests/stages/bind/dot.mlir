// passes: directives, inline-callees, normalise, affine-to-scf, unroll, flatten-memrefs, canonicalise, expand, licm, forward, promote, if-convert, licm, forward, canonicalise, annotate, narrow, tidy, rewrite, tidy, hoist-from-guards, copies, schedule, bind, tidy-circuit

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
//>     %0 = comb.xor %busy, %true : i1
//>     %1 = comb.and %start, %0 : i1
//>     %false = hw.constant false
//>     %run_t0 = seq.compreg %1, %clock reset %reset, %false {sluice.block = 0 : i64, sluice.frame = "run", sluice.time = 0 : i64} : i1
//>     %c0_i6 = hw.constant 0 : i6
//>     %c1_i6 = hw.constant 1 : i6
//>     %i_loop_t0 = seq.compreg %8, %clock reset %reset, %false {sluice.block = 0 : i64, sluice.frame = "i_loop", sluice.operation = 4 : i64, sluice.time = 0 : i64} : i1
//>     %2 = comb.add %i, %c1_i6 : i6
//>     %c15_i6 = hw.constant 15 : i6
//>     %3 = comb.icmp eq %i, %c15_i6 : i6
//>     %4 = comb.mux %run_t0, %c0_i6, %2 : i6
//>     %5 = comb.or %run_t0, %i_loop_t0 : i1
//>     %i = seq.compreg.ce %4, %clock, %5 : i6
//>     %6 = comb.xor %3, %true : i1
//>     %7 = comb.and %i_loop_t0, %6 : i1
//>     %8 = comb.or %run_t0, %7 : i1
//>     %9 = comb.extract %i from 0 : (i6) -> i4
//>     %10 = comb.extract %a_rdata from 15 : (i16) -> i1
//>     %11 = comb.replicate %10 : (i1) -> i16
//>     %12 = comb.concat %11, %a_rdata : i16, i16
//>     %13 = comb.extract %b_rdata from 15 : (i16) -> i1
//>     %14 = comb.replicate %13 : (i1) -> i16
//>     %15 = comb.concat %14, %b_rdata : i16, i16
//>     %i_loop_t1 = seq.compreg %i_loop_t0, %clock reset %reset, %false {sluice.block = 0 : i64, sluice.frame = "i_loop", sluice.operation = 4 : i64, sluice.time = 1 : i64} : i1
//>     %i_loop_t2 = seq.compreg %i_loop_t1, %clock reset %reset, %false {sluice.block = 0 : i64, sluice.frame = "i_loop", sluice.operation = 4 : i64, sluice.time = 2 : i64} : i1
//>     %16 = comb.xor %i_loop_t2, %true : i1
//>     %17 = comb.and %i_loop_t1, %16 : i1
//>     %c0_i32 = hw.constant 0 : i32
//>     %next_r0 = seq.compreg %18, %clock reset %17, %c0_i32 : i32
//>     %18 = comb.add %next_r0, %mul_32_l1.result : i32
//>     %next_r = seq.compreg.ce %18, %clock, %i_loop_t2 : i32
//>     %19 = comb.xor %i_loop_t1, %true : i1
//>     %20 = comb.and %i_loop_t2, %19 : i1
//>     %run_t1 = seq.compreg %20, %clock reset %reset, %false {sluice.block = 0 : i64, sluice.frame = "run", sluice.time = 1 : i64} : i1
//>     %result0_r = seq.compreg.ce %next_r, %clock, %run_t1 : i32
//>     %21 = comb.xor %run_t1, %true : i1
//>     %22 = comb.and %busy, %21 : i1
//>     %23 = comb.or %1, %22 : i1
//>     %busy = seq.compreg %23, %clock reset %reset, %false : i1
//>     %done_r = seq.compreg %run_t1, %clock reset %reset, %false : i1
//>     %mul_32_l1.result = hw.instance "mul_32_l1" @sluice_mul_32_l1(clock: %clock: !seq.clock, left: %12: i32, right: %15: i32) -> (result: i32)
//>     hw.output %0, %done_r, %result0_r, %9, %i_loop_t0, %9, %i_loop_t0 : i1, i1, i32, i4, i1, i4, i1
//>   }
//>   hw.module @sluice_mul_32_l1(in %clock : !seq.clock, in %left : i32, in %right : i32, out result : i32) attributes {sluice.class = "multiply", sluice.latency = 1 : i64, sluice.width = 32 : i64} {
//>     %0 = comb.mul %left, %right : i32
//>     %product_r = seq.compreg %0, %clock : i32
//>     hw.output %product_r : i32
//>   }
//> }
