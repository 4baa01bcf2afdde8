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
//>     %2 = mux %15#1 [%1, %trueResult] : i1, i5
//>     %3:2 = fork [2] %2 : i5
//>     %4 = source
//>     %5 = constant %4 {value = 0 : i16} : i16
//>     %6 = arith.addi %20#1, %21#0 : i16
//>     %7 = source
//>     %8 = constant %7 {value = 9 : i5} : i5
//>     %9 = arith.cmpi slt, %3#1, %8 : i5
//>     %10:2 = fork [2] %9 : i1
//>     %11 = source
//>     %12 = constant %11 {value = 1 : i5} : i5
//>     %13 = arith.addi %3#0, %12 : i5
//>     %14 = buffer [1] seq %10#1 {initValues = [0], sluice.cut = "data"} : i1
//>     %15:2 = fork [2] %14 : i1
//>     %16 = buffer [1] seq %10#0 : i1
//>     %17:2 = fork [2] %16 : i1
//>     %trueResult, %falseResult = cond_br %17#1, %13 : i5
//>     sink %falseResult : i5
//>     %18 = pack %arg0, %5 : tuple<i16, i16>
//>     %19 = mux %15#0 [%18, %trueResult_0] : i1, tuple<i16, i16>
//>     %20:2 = unpack %19 : tuple<i16, i16>
//>     %21:2 = fork [2] %20#0 : i16
//>     %22 = pack %21#1, %6 : tuple<i16, i16>
//>     %trueResult_0, %falseResult_1 = cond_br %17#0, %22 : tuple<i16, i16>
//>     %23:2 = unpack %falseResult_1 : tuple<i16, i16>
//>     sink %23#0 : i16
//>     return %23#1, %0#0 : i16, none
//>   }
//> }
