// passes: lower-to-handshake

// Tokens go to the side that runs; what neither side changes passes by, and a choice between constants is a computation.
func.func @conditional(%go: i1, %a: i8, %b: i8) -> (i8, i8, i8) attributes {sluice.dependences = []} {
  %c1 = arith.constant 1 : i8
  %c2 = arith.constant 2 : i8
  %r:3 = scf.if %go -> (i8, i8, i8) {
    %q = arith.divui %a, %b : i8
    scf.yield %q, %b, %c1 : i8, i8, i8
  } else {
    scf.yield %a, %b, %c2 : i8, i8, i8
  }
  return %r#0, %r#1, %r#2 : i8, i8, i8
}

//> module {
//>   handshake.func @conditional(%arg0: i1, %arg1: i8, %arg2: i8, %arg3: none, ...) -> (i8, i8, i8, none) attributes {argNames = ["arg0", "arg1", "arg2", "start"], resNames = ["result0", "result1", "result2", "done"]} {
//>     %0:2 = fork [2] %arg2 : i8
//>     %1:4 = fork [4] %arg0 : i1
//>     %trueResult, %falseResult = cond_br %1#3, %arg1 : i8
//>     %trueResult_0, %falseResult_1 = cond_br %1#2, %0#1 : i8
//>     sink %falseResult_1 : i8
//>     %2 = arith.divui %trueResult, %trueResult_0 : i8
//>     %3 = source
//>     %4 = constant %3 {value = 1 : i8} : i8
//>     %5 = source
//>     %6 = constant %5 {value = 2 : i8} : i8
//>     %7 = mux %1#1 [%falseResult, %2] : i1, i8
//>     %8 = arith.select %1#0, %4, %6 : i8
//>     return %7, %0#0, %8, %arg3 : i8, i8, i8, none
//>   }
//> }
