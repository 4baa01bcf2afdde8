// passes: split, outline-operations
// config: {style: elastic, device: ecp5, clock_period_ns: 6}
// In a circuit of tokens, what becomes a loop is a function for a schedule, with what stands around the loop; sums in few pieces are not.
func.func @k(%a: i48, %b: i48) -> (i48, i48) {
  %quotient = arith.divsi %a, %b : i48
  %sum = arith.addi %a, %b : i48
  return %quotient, %sum : i48, i48
}

//> module {
//>   func.func @k(%arg0: i48, %arg1: i48) -> (i48, i48) {
//>     %0 = call @k_divsi_48(%arg0, %arg1) : (i48, i48) -> i48
//>     %1 = arith.addi %arg0, %arg1 : i48
//>     return %0, %1 : i48, i48
//>   }
//>   func.func private @k_divsi_48(%arg0: i48, %arg1: i48) -> i48 attributes {sluice.dependences = [], sluice.no_inline} {
//>     %c47_i48 = arith.constant 47 : i48
//>     %0 = arith.shrui %arg0, %c47_i48 : i48
//>     %1 = arith.trunci %0 : i48 to i1
//>     %c47_i48_0 = arith.constant 47 : i48
//>     %2 = arith.shrui %arg1, %c47_i48_0 : i48
//>     %3 = arith.trunci %2 : i48 to i1
//>     %c0_i48 = arith.constant 0 : i48
//>     %4 = arith.subi %c0_i48, %arg0 : i48
//>     %5 = arith.select %1, %4, %arg0 : i48
//>     %c0_i48_1 = arith.constant 0 : i48
//>     %6 = arith.subi %c0_i48_1, %arg1 : i48
//>     %7 = arith.select %3, %6, %arg1 : i48
//>     %8 = arith.extui %7 : i48 to i49
//>     %c0_i48_2 = arith.constant 0 : i48
//>     %c0_i7 = arith.constant 0 : i7
//>     %c48_i7 = arith.constant 48 : i7
//>     %c1_i7 = arith.constant 1 : i7
//>     %9:2 = scf.for %arg2 = %c0_i7 to %c48_i7 step %c1_i7 iter_args(%arg3 = %5, %arg4 = %c0_i48_2) -> (i48, i48)  : i7 {
//>       %c47_i48_4 = arith.constant 47 : i48
//>       %13 = arith.shrui %arg3, %c47_i48_4 : i48
//>       %14 = arith.trunci %13 : i48 to i1
//>       %15 = arith.trunci %arg3 : i48 to i47
//>       %16 = arith.extui %14 : i1 to i49
//>       %17 = arith.extui %arg4 : i48 to i49
//>       %c1_i49 = arith.constant 1 : i49
//>       %18 = arith.shli %17, %c1_i49 : i49
//>       %19 = arith.ori %16, %18 : i49
//>       %20 = arith.cmpi ult, %19, %8 : i49
//>       %21 = arith.subi %19, %8 : i49
//>       %22 = arith.select %20, %19, %21 : i49
//>       %true = arith.constant true
//>       %23 = arith.xori %20, %true : i1
//>       %24 = arith.extui %23 : i1 to i48
//>       %25 = arith.extui %15 : i47 to i48
//>       %c1_i48 = arith.constant 1 : i48
//>       %26 = arith.shli %25, %c1_i48 : i48
//>       %27 = arith.ori %24, %26 : i48
//>       %28 = arith.trunci %22 : i49 to i48
//>       scf.yield %27, %28 : i48, i48
//>     } {sluice.dependences = [], sluice.trip_count = 48 : i64}
//>     %10 = arith.xori %1, %3 : i1
//>     %c0_i48_3 = arith.constant 0 : i48
//>     %11 = arith.subi %c0_i48_3, %9#0 : i48
//>     %12 = arith.select %10, %11, %9#0 : i48
//>     return %12 : i48
//>   }
//> }
