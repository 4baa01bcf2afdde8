// passes: simplify-graphs

// The control token goes one way or the other, and so does what comes back with its index; %b, which both ways leave as it is, passes by.
handshake.func @conditional(%c: i1, %a: i8, %b: i8, %start: none) -> (i8, i8, none) {
  %at, %ae = cond_br %c, %a : i8
  %bt, %be = cond_br %c, %b : i8
  %st, %se = cond_br %c, %start : none
  %ctl, %index = control_merge %se, %st : none, index
  %twice = arith.addi %at, %at : i8
  %x = mux %index [%ae, %twice] : index, i8
  %y = mux %index [%be, %bt] : index, i8
  return %x, %y, %ctl : i8, i8, none
}

//> module {
//>   handshake.func @conditional(%arg0: i1, %arg1: i8, %arg2: i8, %arg3: none, ...) -> (i8, i8, none) attributes {argNames = ["c", "a", "b", "start"], resNames = ["out0", "out1", "out2"]} {
//>     %trueResult, %falseResult = cond_br %arg0, %arg1 : i8
//>     %0 = arith.addi %trueResult, %trueResult : i8
//>     %1 = mux %arg0 [%falseResult, %0] : i1, i8
//>     return %1, %arg2, %arg3 : i8, i8, none
//>   }
//> }
