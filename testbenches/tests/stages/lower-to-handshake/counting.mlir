// passes: lower-to-handshake

// A loop that is known to run has one token per iteration; what it reads from outside is repeated.
func.func @counting(%x: i16) -> i16 attributes {sluice.dependences = []} {
  %c0 = arith.constant 0 : i5
  %c1 = arith.constant 1 : i5
  %c10 = arith.constant 10 : i5
  %zero = arith.constant 0 : i16
  %sum = scf.for %i = %c0 to %c10 step %c1 iter_args(%acc = %zero) -> (i16) : i5 {
    %more = arith.addi %acc, %x : i16
    scf.yield %more : i16
  } {sluice.trip_count = 10 : i64, sluice.dependences = []}
  return %sum : i16
}

//> module {
//>   handshake.func @counting(%arg0: i16, %arg1: none, ...) -> (i16, none) attributes {argNames = ["arg0", "start"], resNames = ["result0", "done"]} {
//>     %0:2 = fork [2] %arg1 : none
//>     %1 = constant %0#1 {value = 0 : i5} : i5
//>     %2 = mux %18#0 [%1, %trueResult_0] : i1, i5
//>     %3:2 = fork [2] %2 : i5
//>     %4 = source
//>     %5 = constant %4 {value = 0 : i16} : i16
//>     %6 = mux %18#1 [%5, %trueResult] : i1, i16
//>     %7 = mux %18#2 [%arg0, %trueResult_2] : i1, i16
//>     %8:2 = fork [2] %7 : i16
//>     %9 = arith.addi %6, %8#1 : i16
//>     %10 = source
//>     %11 = constant %10 {value = 9 : i5} : i5
//>     %12 = arith.cmpi slt, %3#1, %11 : i5
//>     %13:2 = fork [2] %12 : i1
//>     %14 = source
//>     %15 = constant %14 {value = 1 : i5} : i5
//>     %16 = arith.addi %3#0, %15 : i5
//>     %17 = buffer [1] seq %13#1 {initValues = [0], sluice.cut = "data"} : i1
//>     %18:3 = fork [3] %17 : i1
//>     %19 = buffer [1] seq %13#0 : i1
//>     %20:3 = fork [3] %19 : i1
//>     %trueResult, %falseResult = cond_br %20#2, %9 : i16
//>     %trueResult_0, %falseResult_1 = cond_br %20#1, %16 : i5
//>     sink %falseResult_1 : i5
//>     %trueResult_2, %falseResult_3 = cond_br %20#0, %8#0 : i16
//>     sink %falseResult_3 : i16
//>     return %falseResult, %0#0 : i16, none
//>   }
//> }
