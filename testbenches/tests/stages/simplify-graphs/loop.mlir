// passes: simplify-graphs

// A loop that a merge begins, and of which it goes on where the condition is false; the bound is a constant that goes round, and is one
// where it is compared. What nobody needs goes round as well, and goes.
handshake.func @loop(%start: none) -> (i8, none) {
  %f:4 = fork [4] %start : none
  %zero = constant %f#0 {value = 0 : i8} : i8
  %bound = constant %f#1 {value = 100 : i8} : i8
  %unused = constant %f#2 {value = 5 : i8} : i8
  %ctl, %index = control_merge %back, %f#3 : none, index
  %i = mux %index [%next, %zero] : index, i8
  %n = mux %index [%same, %bound] : index, i8
  %u = mux %index [%more, %unused] : index, i8
  %ends = arith.cmpi uge, %i, %n : i8
  %done, %back = cond_br %ends, %ctl : none
  %last, %at = cond_br %ends, %i : i8
  %gone, %same = cond_br %ends, %n : i8
  %left, %u_at = cond_br %ends, %u : i8
  %next = arith.addi %at, %at : i8
  %more = arith.addi %u_at, %u_at : i8
  return %last, %done : i8, none
}

//> module {
//>   handshake.func @loop(%arg0: none, ...) -> (i8, none) attributes {argNames = ["start"], resNames = ["out0", "out1"]} {
//>     %0 = arith.cmpi uge, %6, %9 : i8
//>     %trueResult, %falseResult = cond_br %4, %7 : none
//>     %trueResult_0, %falseResult_1 = cond_br %4, %6 : i8
//>     %1 = arith.addi %trueResult_0, %trueResult_0 : i8
//>     %2 = source
//>     %3 = constant %2 {value = true} : i1
//>     %4 = arith.xori %0, %3 : i1
//>     %5 = buffer [1] seq %4 {initValues = [0], sluice.cut = "data"} : i1
//>     %6 = mux %5 [%10, %1] : i1, i8
//>     %7 = mux %5 [%arg0, %trueResult] : i1, none
//>     %8 = source
//>     %9 = constant %8 {value = 100 : i8} : i8
//>     %10 = constant %arg0 {value = 0 : i8} : i8
//>     return %falseResult_1, %falseResult : i8, none
//>   }
//> }
