// passes: handshake-to-hw, tidy-circuit

// Units stall where their results may have to wait.
handshake.func @product(%a: i8, %b: i8) -> i8 {
  %c = arith.muli %a, %b {sluice.latency = 2 : i64} : i8
  return %c : i8
}
handshake.func @quotient(%a: i4, %b: i4) -> i4 {
  %c = arith.divui %a, %b {sluice.latency = 5 : i64, sluice.name = "share"} : i4
  return %c : i4
}

//> module {
//>   hw.module @product(in %clock : !seq.clock, in %reset : i1, in %a : i8, in %a_valid : i1, in %b : i8, in %b_valid : i1, in %out0_ready : i1, out a_ready : i1, out b_ready : i1, out out0 : i8, out out0_valid : i1) {
//>     %true = hw.constant true
//>     %0 = comb.xor %c_full_1, %true : i1
//>     %1 = comb.or %0, %out0_ready : i1
//>     %2 = comb.and %1, %b_valid {sluice.ready = [0]} : i1
//>     %3 = comb.and %1, %a_valid {sluice.ready = [1]} : i1
//>     %mul_8_l2_stalls.result = hw.instance "mul_8_l2_stalls" @sluice_mul_8_l2_stalls(clock: %clock: !seq.clock, enable: %1: i1, left: %a: i8, right: %b: i8) -> (result: i8) {sluice.data = [2]}
//>     %4 = comb.and %a_valid, %b_valid : i1
//>     %5 = comb.mux %1, %4, %c_full : i1
//>     %false = hw.constant false
//>     %c_full = seq.compreg %5, %clock reset %reset, %false : i1
//>     %6 = comb.mux %1, %c_full, %c_full_1 : i1
//>     %c_full_1 = seq.compreg %6, %clock reset %reset, %false {sluice.valid = [2]} : i1
//>     hw.output %2, %3, %mul_8_l2_stalls.result, %c_full_1 : i1, i1, i8, i1
//>   }
//>   hw.module @quotient(in %clock : !seq.clock, in %reset : i1, in %a : i4, in %a_valid : i1, in %b : i4, in %b_valid : i1, in %out0_ready : i1, out a_ready : i1, out b_ready : i1, out out0 : i4, out out0_valid : i1) {
//>     %true = hw.constant true
//>     %0 = comb.xor %share_works, %true : i1
//>     %1 = comb.xor %share_full, %true : i1
//>     %2 = comb.or %1, %out0_ready : i1
//>     %3 = comb.and %0, %2 : i1
//>     %4 = comb.and %3, %b_valid {sluice.ready = [0]} : i1
//>     %5 = comb.and %3, %a_valid {sluice.ready = [1]} : i1
//>     %6 = comb.and %a_valid, %b_valid : i1
//>     %7 = comb.and %6, %3 : i1
//>     %divu_4_l5_stalls.result = hw.instance "divu_4_l5_stalls" @sluice_divu_4_l5_stalls(clock: %clock: !seq.clock, enable: %2: i1, start: %7: i1, left: %a: i4, right: %b: i4) -> (result: i4) {sluice.data = [2]}
//>     %8 = comb.xor %2, %true : i1
//>     %9 = comb.and %share_full, %8 : i1
//>     %c1_i3 = hw.constant 1 : i3
//>     %10 = comb.icmp eq %share_cycles_left, %c1_i3 : i3
//>     %11 = comb.and %share_works, %10 : i1
//>     %12 = comb.sub %share_cycles_left, %c1_i3 : i3
//>     %c-4_i3 = hw.constant -4 : i3
//>     %13 = comb.mux %7, %c-4_i3, %12 : i3
//>     %14 = comb.xor %11, %true : i1
//>     %15 = comb.and %share_works, %14 : i1
//>     %16 = comb.or %7, %15 : i1
//>     %share_cycles_left = seq.compreg %13, %clock : i3
//>     %false = hw.constant false
//>     %share_works = seq.compreg %16, %clock reset %reset, %false : i1
//>     %17 = comb.or %11, %9 : i1
//>     %share_full = seq.compreg %17, %clock reset %reset, %false {sluice.valid = [2]} : i1
//>     hw.output %4, %5, %divu_4_l5_stalls.result, %share_full : i1, i1, i4, i1
//>   }
//>   hw.module @sluice_mul_8_l2_stalls(in %clock : !seq.clock, in %enable : i1, in %left : i8, in %right : i8, out result : i8) attributes {sluice.class = "multiply", sluice.latency = 2 : i64, sluice.width = 8 : i64} {
//>     %0 = comb.mul %left, %right : i8
//>     %product_r = seq.compreg.ce %0, %clock, %enable : i8
//>     %product_r_1 = seq.compreg.ce %product_r, %clock, %enable : i8
//>     hw.output %product_r_1 : i8
//>   }
//>   hw.module @sluice_divu_4_l5_stalls(in %clock : !seq.clock, in %enable : i1, in %start : i1, in %left : i4, in %right : i4, out result : i4) attributes {sluice.class = "divide_unsigned", sluice.latency = 5 : i64, sluice.width = 4 : i64} {
//>     %c0_i2 = hw.constant 0 : i2
//>     %0 = comb.concat %c0_i2, %right : i2, i4
//>     %1 = comb.extract %0 from 0 : (i6) -> i4
//>     %2 = comb.and %enable, %start : i1
//>     %divisor = seq.compreg.ce %1, %clock, %2 : i4
//>     %3 = comb.concat %c0_i2, %divisor : i2, i4
//>     %true = hw.constant true
//>     %4 = comb.extract %left from 3 : (i4) -> i1
//>     %5 = comb.extract %left from 2 : (i4) -> i1
//>     %6 = comb.extract %right from 0 : (i4) -> i1
//>     %7 = comb.extract %right from 1 : (i4) -> i1
//>     %8 = comb.extract %right from 2 : (i4) -> i2
//>     %9 = comb.icmp eq %8, %c0_i2 : i2
//>     %10 = comb.xor %6, %true : i1
//>     %11 = comb.xor %7, %true : i1
//>     %12 = comb.and %10, %11 : i1
//>     %13 = comb.and %9, %12 : i1
//>     %14 = comb.and %6, %11 : i1
//>     %15 = comb.and %9, %14 : i1
//>     %16 = comb.and %10, %7 : i1
//>     %17 = comb.and %9, %16 : i1
//>     %18 = comb.and %6, %7 : i1
//>     %19 = comb.and %9, %18 : i1
//>     %20 = comb.and %15, %4 : i1
//>     %21 = comb.and %15, %5 : i1
//>     %22 = comb.and %17, %4 : i1
//>     %23 = comb.and %19, %4 : i1
//>     %24 = comb.and %19, %5 : i1
//>     %25 = comb.and %23, %5 : i1
//>     %26 = comb.or %13, %20 : i1
//>     %27 = comb.or %13, %21, %22, %25 : i1
//>     %28 = comb.or %15, %17, %24 : i1
//>     %29 = comb.xor %28, %true : i1
//>     %30 = comb.and %4, %29 : i1
//>     %31 = comb.or %15, %23 : i1
//>     %32 = comb.xor %31, %true : i1
//>     %33 = comb.and %5, %32 : i1
//>     %34 = comb.concat %26, %27 : i1, i1
//>     %35 = comb.concat %30, %33 : i1, i1
//>     %36 = comb.extract %left from 0 : (i4) -> i2
//>     %37 = comb.concat %36, %34 : i2, i2
//>     %38 = comb.extract %quotient from 3 : (i4) -> i1
//>     %39 = comb.concat %rest, %38 : i4, i1
//>     %false = hw.constant false
//>     %40 = comb.concat %false, %39 : i1, i5
//>     %41 = comb.sub %40, %3 : i6
//>     %42 = comb.extract %41 from 0 : (i6) -> i4
//>     %43 = comb.extract %41 from 5 : (i6) -> i1
//>     %44 = comb.replicate %43 : (i1) -> i3
//>     %45 = comb.concat %44, %43 : i3, i1
//>     %46 = comb.xor %42, %45 : i4
//>     %47 = comb.xor %true, %sign : i1
//>     %48 = comb.extract %quotient from 0 : (i4) -> i3
//>     %49 = comb.xor %sign, %43 : i1
//>     %50 = comb.concat %48, %47 : i3, i1
//>     %51 = comb.extract %50 from 3 : (i4) -> i1
//>     %52 = comb.xor %51, %49 : i1
//>     %53 = comb.extract %50 from 0 : (i4) -> i3
//>     %54 = comb.concat %52, %53 : i1, i3
//>     %55 = comb.concat %c0_i2, %35 : i2, i2
//>     %56 = comb.mux %start, %55, %46 : i4
//>     %rest = seq.compreg.ce %56, %clock, %enable : i4
//>     %57 = comb.mux %start, %37, %54 : i4
//>     %quotient = seq.compreg.ce %57, %clock, %enable : i4
//>     %58 = comb.mux %start, %false, %49 : i1
//>     %sign = seq.compreg.ce %58, %clock, %enable : i1
//>     %59 = comb.extract %quotient from 3 : (i4) -> i1
//>     %60 = comb.xor %59, %sign : i1
//>     %61 = comb.extract %quotient from 0 : (i4) -> i3
//>     %62 = comb.concat %60, %61 : i1, i3
//>     %63 = comb.xor %sign, %true : i1
//>     %64 = comb.extract %62 from 2 : (i4) -> i2
//>     %65 = comb.extract %62 from 0 : (i4) -> i1
//>     %66 = comb.concat %64, %65, %63 : i2, i1, i1
//>     %result_r = seq.compreg.ce %66, %clock, %enable : i4
//>     %result_r_1 = seq.compreg.ce %result_r, %clock, %enable : i4
//>     hw.output %result_r_1 : i4
//>   }
//> }
