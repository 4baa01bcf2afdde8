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
//>     %0 = mux %8#0 [%arg0, %9#0] : i1, i8
//>     %1 = mux %8#1 [%arg1, %10] : i1, i8
//>     %2:2 = fork [2] %1 : i8
//>     %3 = source
//>     %4 = constant %3 {value = 0 : i8} : i8
//>     %5 = arith.cmpi ne, %2#1, %4 : i8
//>     %6:3 = fork [3] %5 : i1
//>     %7 = buffer [1] seq %6#2 {initValues = [0], sluice.cut = "data"} : i1
//>     %8:2 = fork [2] %7 : i1
//>     %trueResult, %falseResult = cond_br %6#1, %0 : i8
//>     %trueResult_0, %falseResult_1 = cond_br %6#0, %2#0 : i8
//>     sink %falseResult_1 : i8
//>     %9:2 = fork [2] %trueResult_0 : i8
//>     %10 = arith.remui %trueResult, %9#1 : i8
//>     return %falseResult, %arg2 : i8, none
//>   }
//> }
