// passes: simplify-graphs

// A conditional in a loop, four ways of which come to one merge: the token of the next iteration comes behind all of them.
handshake.func @nested(%n: i8, %start: none) -> (i8, none) {
  %go = buffer [1] seq %again {initValues = [0]} : i1
  %ctl = mux %go [%start, %back] : i1, none
  %i = mux %go [%n, %next] : i1, i8
  %source = source
  %one = constant %source {value = 1 : i8} : i8
  %two = constant %source {value = 2 : i8} : i8
  %zero = constant %source {value = 0 : i8} : i8
  %bit = arith.andi %i, %one : i8
  %odd = arith.cmpi ne, %bit, %zero : i8
  %ct, %ce = cond_br %odd, %ctl : none
  %it, %ie = cond_br %odd, %i : i8
  %small = arith.cmpi ult, %ie, %two : i8
  %cet, %cee = cond_br %small, %ce : none
  %iet, %iee = cond_br %small, %ie : i8
  %less = arith.subi %it, %one : i8
  %half = arith.shrui %iee, %one : i8
  %joined, %which = control_merge %cee, %ct, %cet : none, index
  %next_i = mux %which [%half, %less, %iet] : index, i8
  %again = arith.cmpi ugt, %next_i, %one : i8
  %back, %done = cond_br %again, %joined : none
  %next, %last = cond_br %again, %next_i : i8
  return %last, %done : i8, none
}

//> module {
//>   handshake.func @nested(%arg0: i8, %arg1: none, ...) -> (i8, none) attributes {argNames = ["n", "start"], resNames = ["out0", "out1"]} {
//>     %0 = buffer [1] seq %20 {initValues = [0]} : i1
//>     %1 = mux %0 [%arg1, %trueResult_2] : i1, none
//>     %2 = mux %0 [%arg0, %trueResult_4] : i1, i8
//>     %3 = source
//>     %4 = source
//>     %5 = source
//>     %6 = source
//>     %7 = source
//>     %8 = source
//>     %9 = constant %4 {value = 1 : i8} : i8
//>     %10 = constant %3 {value = 1 : i8} : i8
//>     %11 = constant %8 {value = 1 : i8} : i8
//>     %12 = constant %7 {value = 1 : i8} : i8
//>     %13 = constant %5 {value = 2 : i8} : i8
//>     %14 = constant %6 {value = 0 : i8} : i8
//>     %15 = arith.andi %2, %10 : i8
//>     %16 = arith.cmpi ne, %15, %14 : i8
//>     %trueResult, %falseResult = cond_br %16, %2 : i8
//>     %17 = arith.cmpi ult, %falseResult, %13 : i8
//>     %trueResult_0, %falseResult_1 = cond_br %17, %falseResult : i8
//>     %18 = arith.subi %trueResult, %11 : i8
//>     %19 = arith.shrui %falseResult_1, %12 : i8
//>     %20 = arith.cmpi ugt, %22, %9 : i8
//>     %trueResult_2, %falseResult_3 = cond_br %20, %1 : none
//>     %trueResult_4, %falseResult_5 = cond_br %20, %22 : i8
//>     %21 = mux %17 [%19, %trueResult_0] : i1, i8
//>     %22 = mux %16 [%21, %18] : i1, i8
//>     return %falseResult_5, %falseResult_3 : i8, none
//>   }
//> }
