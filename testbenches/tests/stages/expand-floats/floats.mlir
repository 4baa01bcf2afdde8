// passes: float-words, expand-floats

// Changes of the sign and comparisons are small: every schedule has their operations.
func.func @small(%x: f16, %y: f16) -> (i1, f16) {
  %negated = arith.negf %x : f16
  %equal = arith.cmpf oeq, %negated, %y : f16
  return %equal, %negated : i1, f16
}

//> module {
//>   func.func @small(%arg0: i16, %arg1: i16) -> (i1, i16) {
//>     %0 = arith.trunci %arg0 : i16 to i15
//>     %c15_i16 = arith.constant 15 : i16
//>     %1 = arith.shrui %arg0, %c15_i16 : i16
//>     %2 = arith.trunci %1 : i16 to i1
//>     %true = arith.constant true
//>     %3 = arith.xori %2, %true : i1
//>     %4 = arith.extui %3 : i1 to i16
//>     %c15_i16_0 = arith.constant 15 : i16
//>     %5 = arith.shli %4, %c15_i16_0 : i16
//>     %6 = arith.extui %0 : i15 to i16
//>     %7 = arith.ori %5, %6 : i16
//>     %c0_i10 = arith.constant 0 : i10
//>     %8 = arith.trunci %arg1 : i16 to i10
//>     %9 = arith.cmpi eq, %8, %c0_i10 : i10
//>     %true_1 = arith.constant true
//>     %10 = arith.xori %9, %true_1 : i1
//>     %c0_i5 = arith.constant 0 : i5
//>     %c10_i16 = arith.constant 10 : i16
//>     %11 = arith.shrui %arg1, %c10_i16 : i16
//>     %12 = arith.trunci %11 : i16 to i5
//>     %c-1_i5 = arith.constant -1 : i5
//>     %13 = arith.xori %12, %c-1_i5 : i5
//>     %14 = arith.cmpi eq, %13, %c0_i5 : i5
//>     %15 = arith.andi %14, %10 : i1
//>     %16 = arith.trunci %7 : i16 to i10
//>     %17 = arith.cmpi eq, %16, %c0_i10 : i10
//>     %true_2 = arith.constant true
//>     %18 = arith.xori %17, %true_2 : i1
//>     %c10_i16_3 = arith.constant 10 : i16
//>     %19 = arith.shrui %7, %c10_i16_3 : i16
//>     %20 = arith.trunci %19 : i16 to i5
//>     %c-1_i5_4 = arith.constant -1 : i5
//>     %21 = arith.xori %20, %c-1_i5_4 : i5
//>     %22 = arith.cmpi eq, %21, %c0_i5 : i5
//>     %23 = arith.andi %22, %18 : i1
//>     %24 = arith.ori %23, %15 : i1
//>     %true_5 = arith.constant true
//>     %25 = arith.xori %24, %true_5 : i1
//>     %26 = arith.cmpi eq, %12, %c0_i5 : i5
//>     %27 = arith.andi %26, %9 : i1
//>     %28 = arith.cmpi eq, %20, %c0_i5 : i5
//>     %29 = arith.andi %28, %17 : i1
//>     %30 = arith.andi %29, %27 : i1
//>     %31 = arith.cmpi eq, %7, %arg1 : i16
//>     %32 = arith.ori %31, %30 : i1
//>     %33 = arith.andi %32, %25 : i1
//>     return %33, %7 : i1, i16
//>   }
//> }
