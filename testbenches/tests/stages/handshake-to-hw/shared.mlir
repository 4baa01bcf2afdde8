// passes: handshake-to-hw

handshake.func @f(%a: i8, %b: i8, %x: i5, %y: i5) -> (i8, i5) {
  %c = arith.muli %a, %b {sluice.latency = 2 : i64, sluice.shared = 0 : i64, sluice.credits = 1 : i64} : i8
  %d = arith.muli %x, %y {sluice.latency = 2 : i64, sluice.shared = 0 : i64, sluice.credits = 2 : i64} : i5
  return %c, %d : i8, i5
}

//> module {
//>   hw.module @f(in %clock : !seq.clock, in %reset : i1, in %a : i8, in %a_valid : i1, in %b : i8, in %b_valid : i1, in %x : i5, in %x_valid : i1, in %y : i5, in %y_valid : i1, in %out0_ready : i1, in %out1_ready : i1, out a_ready : i1, out b_ready : i1, out x_ready : i1, out y_ready : i1, out out0 : i8, out out0_valid : i1, out out1 : i5, out out1_valid : i1) {
//>     %true = hw.constant true
//>     %0 = comb.xor %c_spent0, %true : i1
//>     %1 = comb.and %x_valid, %y_valid : i1
//>     %2 = comb.xor %d_spent1, %true : i1
//>     %3 = comb.and %1, %2 : i1
//>     %4 = comb.xor %3, %true : i1
//>     %5 = comb.and %b_valid, %0, %4 {sluice.ready = [0]} : i1
//>     %6 = comb.and %a_valid, %0, %4 {sluice.ready = [1]} : i1
//>     %false = hw.constant false
//>     %7 = comb.and %y_valid, %2 {sluice.ready = [2]} : i1
//>     %8 = comb.and %x_valid, %2 {sluice.ready = [3]} : i1
//>     %9 = comb.or %c_own_1, %c_more_than0 {sluice.valid = [4]} : i1
//>     %10 = comb.mux %c_more_than0, %c_slot0, %mul_8_l2.result {sluice.data = [4]} : i8
//>     %11 = comb.extract %mul_8_l2.result from 0 : (i8) -> i5
//>     %12 = comb.or %d_own_1, %d_more_than0 {sluice.valid = [5]} : i1
//>     %13 = comb.mux %d_more_than0, %d_slot0, %11 {sluice.data = [5]} : i5
//>     %14 = comb.and %a_valid, %b_valid : i1
//>     %15 = comb.and %14, %0 : i1
//>     %16 = comb.and %15, %4 : i1
//>     %c0_i3 = hw.constant 0 : i3
//>     %17 = comb.concat %c0_i3, %x : i3, i5
//>     %18 = comb.mux %16, %a, %17 : i8
//>     %19 = comb.concat %c0_i3, %y : i3, i5
//>     %20 = comb.mux %16, %b, %19 : i8
//>     %mul_8_l2.result = hw.instance "mul_8_l2" @sluice_mul_8_l2(clock: %clock: !seq.clock, left: %18: i8, right: %20: i8) -> (result: i8)
//>     %c_own = seq.compreg %16, %clock reset %reset, %false : i1
//>     %c_own_1 = seq.compreg %c_own, %clock reset %reset, %false : i1
//>     %21 = comb.and %9, %out0_ready : i1
//>     %22 = comb.xor %21, %true : i1
//>     %23 = comb.xor %16, %true : i1
//>     %24 = comb.and %16, %22 : i1
//>     %25 = comb.and %21, %23 : i1
//>     %26 = comb.mux %25, %false, %c_spent0 : i1
//>     %27 = comb.mux %24, %true, %26 : i1
//>     %c_spent0 = seq.compreg %27, %clock reset %reset, %false : i1
//>     %28 = comb.xor %out0_ready, %true : i1
//>     %29 = comb.or %c_more_than0, %c_own_1 : i1
//>     %30 = comb.and %28, %29 : i1
//>     %31 = comb.xor %c_more_than0, %true : i1
//>     %32 = comb.or %out0_ready, %31 : i1
//>     %c_slot0 = seq.compreg.ce %mul_8_l2.result, %clock, %32 : i8
//>     %c_more_than0 = seq.compreg %30, %clock reset %reset, %false : i1
//>     %d_own = seq.compreg %3, %clock reset %reset, %false : i1
//>     %d_own_1 = seq.compreg %d_own, %clock reset %reset, %false : i1
//>     %33 = comb.and %12, %out1_ready : i1
//>     %34 = comb.xor %33, %true : i1
//>     %35 = comb.and %3, %34 : i1
//>     %36 = comb.and %33, %4 : i1
//>     %37 = comb.mux %36, %d_spent1, %d_spent0 : i1
//>     %38 = comb.mux %35, %true, %37 : i1
//>     %d_spent0 = seq.compreg %38, %clock reset %reset, %false : i1
//>     %39 = comb.mux %36, %false, %d_spent1 : i1
//>     %40 = comb.mux %35, %d_spent0, %39 : i1
//>     %d_spent1 = seq.compreg %40, %clock reset %reset, %false : i1
//>     %41 = comb.xor %out1_ready, %true : i1
//>     %42 = comb.or %d_more_than0, %d_own_1 : i1
//>     %43 = comb.and %41, %42 : i1
//>     %44 = comb.xor %d_more_than1, %true : i1
//>     %45 = comb.and %d_own_1, %d_more_than0, %44 : i1
//>     %46 = comb.or %d_more_than1, %45 : i1
//>     %47 = comb.and %out1_ready, %46 : i1
//>     %48 = comb.or %43, %47 : i1
//>     %49 = comb.mux %d_more_than1, %d_slot1, %11 : i5
//>     %50 = comb.xor %d_more_than0, %true : i1
//>     %51 = comb.or %out1_ready, %50 : i1
//>     %d_slot0 = seq.compreg.ce %49, %clock, %51 : i5
//>     %d_more_than0 = seq.compreg %48, %clock reset %reset, %false : i1
//>     %52 = comb.and %d_own_1, %d_more_than0 : i1
//>     %53 = comb.or %d_more_than1, %52 : i1
//>     %54 = comb.and %41, %53 : i1
//>     %55 = comb.or %out1_ready, %44 : i1
//>     %d_slot1 = seq.compreg.ce %11, %clock, %55 : i5
//>     %d_more_than1 = seq.compreg %54, %clock reset %reset, %false : i1
//>     hw.output %5, %6, %7, %8, %10, %9, %13, %12 : i1, i1, i1, i1, i8, i1, i5, i1
//>   }
//>   hw.module @sluice_mul_8_l2(in %clock : !seq.clock, in %left : i8, in %right : i8, out result : i8) attributes {sluice.class = "multiply", sluice.latency = 2 : i64, sluice.width = 8 : i64} {
//>     %0 = comb.mul %left, %right : i8
//>     %product_r = seq.compreg %0, %clock : i8
//>     %product_r_1 = seq.compreg %product_r, %clock : i8
//>     hw.output %product_r_1 : i8
//>   }
//> }
