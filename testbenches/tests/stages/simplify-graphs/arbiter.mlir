// passes: simplify-graphs

// Which of two arguments comes first is nobody's to say: the merge stays.
handshake.func @arbiter(%a: i8, %b: i8) -> i8 {
  %m = merge %a, %b : i8
  return %m : i8
}

// Here the slow side of a token may be overtaken by the fast side of the next one: nothing keeps the next one from coming before.
handshake.func @overtaken(%c: i1, %a: i8) -> i8 {
  %s, %f = cond_br %c, %a : i8
  %slow = buffer [5] seq %s : i8
  %m = merge %slow, %f : i8
  return %m : i8
}

// The conditional is in a loop that does not wait for it.
handshake.func @ahead(%n: i8, %start: none) -> (i8, none) {
  %source = source
  %one = constant %source {value = 1 : i8} : i8
  %zero = constant %source {value = 0 : i8} : i8
  %go = buffer [1] seq %again {initValues = [0]} : i1
  %i = mux %go [%n, %next] : i1, i8
  %ctl = mux %go [%start, %back] : i1, none
  %sum = mux %go [%zero, %more] : i1, i8
  %bit = arith.andi %i, %one : i8
  %odd = arith.cmpi ne, %bit, %zero : i8
  %t, %e = cond_br %odd, %i : i8
  %slow = buffer [5] seq %t : i8
  %m = merge %slow, %e : i8
  %down = arith.subi %i, %one : i8
  %again = arith.cmpi ne, %down, %zero : i8
  %next, %gone = cond_br %again, %down : i8
  %back, %done = cond_br %again, %ctl : none
  %both = arith.addi %sum, %m : i8
  %more, %left = cond_br %again, %both : i8
  return %left, %done : i8, none
}

// With the control token behind it, the next iteration comes when it has gone.
handshake.func @behind(%n: i8, %start: none) -> (i8, none) {
  %source = source
  %one = constant %source {value = 1 : i8} : i8
  %zero = constant %source {value = 0 : i8} : i8
  %go = buffer [1] seq %again {initValues = [0]} : i1
  %i = mux %go [%n, %next] : i1, i8
  %ctl = mux %go [%start, %back] : i1, none
  %bit = arith.andi %i, %one : i8
  %odd = arith.cmpi ne, %bit, %zero : i8
  %t, %e = cond_br %odd, %ctl : none
  %slow = buffer [5] seq %t : none
  %m = merge %slow, %e : none
  %down = arith.subi %i, %one : i8
  %again = arith.cmpi ne, %down, %zero : i8
  %next, %gone = cond_br %again, %down : i8
  %back, %done = cond_br %again, %m : none
  return %n, %done : i8, none
}

//> module {
//>   handshake.func @arbiter(%arg0: i8, %arg1: i8, ...) -> i8 attributes {argNames = ["a", "b"], resNames = ["out0"]} {
//>     %0 = merge %arg0, %arg1 : i8
//>     return %0 : i8
//>   }
//>   handshake.func @overtaken(%arg0: i1, %arg1: i8, ...) -> i8 attributes {argNames = ["c", "a"], resNames = ["out0"]} {
//>     %trueResult, %falseResult = cond_br %arg0, %arg1 : i8
//>     %0 = buffer [5] seq %trueResult : i8
//>     %1 = merge %0, %falseResult : i8
//>     return %1 : i8
//>   }
//>   handshake.func @ahead(%arg0: i8, %arg1: none, ...) -> (i8, none) attributes {argNames = ["n", "start"], resNames = ["out0", "out1"]} {
//>     %0 = source
//>     %1 = source
//>     %2 = source
//>     %3 = source
//>     %4 = source
//>     %5 = constant %1 {value = 1 : i8} : i8
//>     %6 = constant %0 {value = 1 : i8} : i8
//>     %7 = constant %2 {value = 0 : i8} : i8
//>     %8 = constant %4 {value = 0 : i8} : i8
//>     %9 = constant %3 {value = 0 : i8} : i8
//>     %10 = buffer [1] seq %23#3 {initValues = [0]} : i1
//>     %11:3 = fork [3] %10 : i1
//>     %12 = mux %11#2 [%arg0, %trueResult_0] : i1, i8
//>     %13:3 = fork [3] %12 : i8
//>     %14 = mux %11#1 [%arg1, %trueResult_2] : i1, none
//>     %15 = mux %11#0 [%8, %trueResult_4] : i1, i8
//>     %16 = arith.andi %13#2, %6 : i8
//>     %17 = arith.cmpi ne, %16, %9 : i8
//>     %trueResult, %falseResult = cond_br %17, %13#1 : i8
//>     %18 = buffer [5] seq %trueResult : i8
//>     %19 = merge %18, %falseResult : i8
//>     %20 = arith.subi %13#0, %5 : i8
//>     %21:2 = fork [2] %20 : i8
//>     %22 = arith.cmpi ne, %21#1, %7 : i8
//>     %23:4 = fork [4] %22 : i1
//>     %trueResult_0, %falseResult_1 = cond_br %23#2, %21#0 : i8
//>     sink %falseResult_1 : i8
//>     %trueResult_2, %falseResult_3 = cond_br %23#1, %14 : none
//>     %24 = arith.addi %15, %19 : i8
//>     %trueResult_4, %falseResult_5 = cond_br %23#0, %24 : i8
//>     return %falseResult_5, %falseResult_3 : i8, none
//>   }
//>   handshake.func @behind(%arg0: i8, %arg1: none, ...) -> (i8, none) attributes {argNames = ["n", "start"], resNames = ["out0", "out1"]} {
//>     %0 = source
//>     %1 = source
//>     %2 = source
//>     %3 = source
//>     %4 = constant %1 {value = 1 : i8} : i8
//>     %5 = constant %0 {value = 1 : i8} : i8
//>     %6 = constant %2 {value = 0 : i8} : i8
//>     %7 = constant %3 {value = 0 : i8} : i8
//>     %8 = buffer [1] seq %15 {initValues = [0]} : i1
//>     %9 = mux %8 [%arg0, %trueResult_0] : i1, i8
//>     %10 = mux %8 [%arg1, %trueResult_2] : i1, none
//>     %11 = arith.andi %9, %5 : i8
//>     %12 = arith.cmpi ne, %11, %7 : i8
//>     %trueResult, %falseResult = cond_br %12, %10 : none
//>     %13 = buffer [5] seq %trueResult : none
//>     %14 = arith.subi %9, %4 : i8
//>     %15 = arith.cmpi ne, %14, %6 : i8
//>     %trueResult_0, %falseResult_1 = cond_br %15, %14 : i8
//>     %trueResult_2, %falseResult_3 = cond_br %15, %16 : none
//>     %16 = mux %12 [%falseResult, %13] : i1, none
//>     return %arg0, %falseResult_3 : i8, none
//>   }
//> }
