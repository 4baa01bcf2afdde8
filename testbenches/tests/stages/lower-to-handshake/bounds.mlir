// passes: lower-to-handshake

// Bounds that are not known are compared in front of the loop; the limit has a bit more, so that nothing wraps.
func.func @bounds(%low: i8, %high: i8, %start: i8) -> i8 attributes {sluice.dependences = []} {
  %c2 = arith.constant 2 : i8
  %sum = scf.for %i = %low to %high step %c2 iter_args(%acc = %start) -> (i8) : i8 {
    %more = arith.addi %acc, %i : i8
    scf.yield %more : i8
  } {sluice.dependences = []}
  return %sum : i8
}

//> module {
//>   handshake.func @bounds(%arg0: i8, %arg1: i8, %arg2: i8, %arg3: none, ...) -> (i8, none) attributes {argNames = ["arg0", "arg1", "arg2", "start"], resNames = ["result0", "done"]} {
//>     %0:2 = fork [2] %arg1 : i8
//>     %1:2 = fork [2] %arg0 : i8
//>     %2 = arith.cmpi slt, %1#1, %0#1 : i8
//>     %3:4 = fork [4] %2 : i1
//>     %trueResult, %falseResult = cond_br %3#3, %1#0 : i8
//>     sink %falseResult : i8
//>     %4 = mux %22#0 [%trueResult, %trueResult_6] : i1, i8
//>     %5:3 = fork [3] %4 : i8
//>     %trueResult_0, %falseResult_1 = cond_br %3#2, %arg2 : i8
//>     %6 = mux %22#1 [%trueResult_0, %trueResult_4] : i1, i8
//>     %7 = arith.addi %6, %5#2 : i8
//>     %trueResult_2, %falseResult_3 = cond_br %3#1, %0#0 : i8
//>     sink %falseResult_3 : i8
//>     %8 = source
//>     %9 = constant %8 {value = 2 : i8} : i8
//>     %10 = arith.extsi %trueResult_2 : i8 to i9
//>     %11 = arith.extsi %9 : i8 to i9
//>     %12 = arith.extsi %5#1 : i8 to i9
//>     %13 = arith.subi %10, %11 : i9
//>     %14 = mux %22#2 [%13, %trueResult_8] : i1, i9
//>     %15:2 = fork [2] %14 : i9
//>     %16 = arith.cmpi slt, %12, %15#1 : i9
//>     %17:2 = fork [2] %16 : i1
//>     %18 = source
//>     %19 = constant %18 {value = 2 : i8} : i8
//>     %20 = arith.addi %5#0, %19 : i8
//>     %21 = buffer [1] seq %17#1 {initValues = [0], sluice.cut = "data"} : i1
//>     %22:3 = fork [3] %21 : i1
//>     %23 = buffer [1] seq %17#0 : i1
//>     %24:3 = fork [3] %23 : i1
//>     %trueResult_4, %falseResult_5 = cond_br %24#2, %7 : i8
//>     %trueResult_6, %falseResult_7 = cond_br %24#1, %20 : i8
//>     sink %falseResult_7 : i8
//>     %trueResult_8, %falseResult_9 = cond_br %24#0, %15#0 : i9
//>     sink %falseResult_9 : i9
//>     %25 = mux %3#0 [%falseResult_1, %falseResult_5] : i1, i8
//>     return %25, %arg3 : i8, none
//>   }
//> }
