// passes: lower-to-handshake

// The head has a token more than the body.
func.func @gcd(%a: i8, %b: i8) -> i8 attributes {sluice.dependences = []} {
  %c0 = arith.constant 0 : i8
  %r:2 = scf.while (%x = %a, %y = %b) : (i8, i8) -> (i8, i8) {
    %go = arith.cmpi ne, %y, %c0 : i8
    scf.condition(%go) %x, %y : i8, i8
  } do {
  ^bb0(%x: i8, %y: i8):
    %rest = arith.remui %x, %y : i8
    scf.yield %y, %rest : i8, i8
  } attributes {sluice.dependences = []}
  return %r#0 : i8
}

//> module {
//>   handshake.func @gcd(%arg0: i8, %arg1: i8, %arg2: none, ...) -> (i8, none) attributes {argNames = ["arg0", "arg1", "start"], resNames = ["result0", "done"]} {
//>     %0 = mux %9#0 [%arg0, %trueResult_0] : i1, i8
//>     %1:2 = fork [2] %0 : i8
//>     %2 = mux %9#1 [%arg1, %12] : i1, i8
//>     %3:3 = fork [3] %2 : i8
//>     %4 = source
//>     %5 = constant %4 {value = 0 : i8} : i8
//>     %6 = arith.cmpi ne, %3#2, %5 : i8
//>     %7:4 = fork [4] %6 : i1
//>     %8 = buffer [1] seq %7#3 {initValues = [0], sluice.cut = "data"} : i1
//>     %9:2 = fork [2] %8 : i1
//>     %10 = buffer [1] seq %7#2 : i1
//>     %11:2 = fork [2] %10 : i1
//>     %trueResult, %falseResult = cond_br %11#1, %1#1 : i8
//>     sink %trueResult : i8
//>     %trueResult_0, %falseResult_1 = cond_br %11#0, %3#1 : i8
//>     sink %falseResult_1 : i8
//>     %trueResult_2, %falseResult_3 = cond_br %7#1, %1#0 : i8
//>     sink %falseResult_3 : i8
//>     %trueResult_4, %falseResult_5 = cond_br %7#0, %3#0 : i8
//>     sink %falseResult_5 : i8
//>     %12 = arith.remui %trueResult_2, %trueResult_4 : i8
//>     return %falseResult, %arg2 : i8, none
//>   }
//> }
