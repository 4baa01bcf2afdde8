// passes: materialise, prove-deadlock-freedom

// Words come and go for ever: fewer may come out than go in, or more.
handshake.func @filter(%x: i8) -> (i8) attributes {argNames = ["x"], resNames = ["y"]} {
  %bit = arith.trunci %x : i8 to i1
  %odd, %even = cond_br %bit, %x : i8
  sink %even : i8
  return %odd : i8
}

// Every second word.
handshake.func @decimator(%x: i8) -> (i8) attributes {argNames = ["x"], resNames = ["y"]} {
  %turn = buffer [1] seq %other {initValues = [0]} : i1
  %source = source
  %true = constant %source {value = true} : i1
  %other = arith.xori %turn, %true : i1
  %second, %first = cond_br %turn, %x : i8
  sink %first : i8
  return %second : i8
}

// A sum for each group of words that ends with a zero.
handshake.func @gated_loop(%x: i8) -> (i16) attributes {argNames = ["x"], resNames = ["y"]} {
  %source = source
  %zero8 = constant %source {value = 0 : i8} : i8
  %source2 = source
  %zero16 = constant %source2 {value = 0 : i16} : i16
  %wide = arith.extui %x : i8 to i16
  %last = arith.cmpi eq, %x, %zero8 : i8
  %again = buffer [1] seq %last {initValues = [1]} : i1
  %old = buffer [1] seq %more : i16
  %before = mux %again [%old, %zero16] : i1, i16
  %sum = arith.addi %before, %wide : i16
  %done, %more = cond_br %last, %sum : i16
  return %done : i16
}

// The numbers from each word down to zero.
handshake.func @expander(%x: i8) -> (i8) attributes {argNames = ["x"], resNames = ["y"]} {
  %source = source
  %zero = constant %source {value = 0 : i8} : i8
  %source1 = source
  %one = constant %source1 {value = 1 : i8} : i8
  %again = buffer [1] seq %more {initValues = [0]} : i1
  %n = mux %again [%x, %back] : i1, i8
  %more = arith.cmpi ne, %n, %zero : i8
  %less = arith.subi %n, %one : i8
  %next, %drop = cond_br %more, %less : i8
  %back = buffer [1] seq %next : i8
  sink %drop : i8
  return %n : i8
}

// What takes a call for each word may do so too.
handshake.func @filter_with_calls(%x: i8, %start: none) -> (i8, none) attributes {argNames = ["x", "start"], resNames = ["y", "done"]} {
  %bit = arith.trunci %x : i8 to i1
  %odd, %even = cond_br %bit, %x : i8
  sink %even : i8
  return %odd, %start : i8, none
}

// A word of `b` for each odd word of `a`.
handshake.func @pick(%a: i8, %b: i8) -> (i8) attributes {argNames = ["a", "b"], resNames = ["y"]} {
  %bit = arith.trunci %a : i8 to i1
  %odd, %even = cond_br %bit, %a : i8
  sink %even : i8
  %y = arith.addi %odd, %b : i8
  return %y : i8
}

// Two ports in, two ports out.
handshake.func @router(%a: i8, %b: i8) -> (i8, i8) attributes {argNames = ["a", "b"], resNames = ["p", "q"]} {
  %ta = arith.trunci %a : i8 to i1
  %tb = arith.trunci %b : i8 to i1
  %a1, %a0 = cond_br %ta, %a : i8
  %b1, %b0 = cond_br %tb, %b : i8
  %p = merge %a0, %b0 : i8
  %q = merge %a1, %b1 : i8
  return %p, %q : i8, i8
}

// Euclid's algorithm on words that come for ever.
handshake.func @gcd(%a: i16, %b: i16) -> (i16) attributes {argNames = ["a", "b"], resNames = ["g"]} {
  %source = source
  %zero = constant %source {value = 0 : i16} : i16
  %again = buffer [1] seq %go {initValues = [0]} : i1
  %x = mux %again [%a, %xn] : i1, i16
  %y = mux %again [%b, %yn] : i1, i16
  %late = buffer [1] seq %y : i16
  %go = arith.cmpi ne, %late, %zero : i16
  %xg, %result = cond_br %go, %x : i16
  %yg, %drop = cond_br %go, %late : i16
  sink %drop : i16
  %xn = buffer [1] seq %yg : i16
  %rest = arith.remui %xg, %yg : i16
  %yn = buffer [1] seq %rest : i16
  return %result : i16
}

// A merge before a loop of tokens: when it gives which is not known.
handshake.func @arbiter(%a: i8, %b: i8) -> (i8) attributes {argNames = ["a", "b"], resNames = ["y"]} {
  %one = merge %a, %b : i8
  %late = buffer [1] seq %sum {initValues = [0]} : i8
  %sum = arith.addi %one, %late : i8
  return %sum : i8
}

//> module {
//>   handshake.func @filter(%arg0: i8, ...) -> i8 attributes {argNames = ["x"], resNames = ["y"], sluice.deadlock_free = "proved: no cycle in 23 waits of 6 channels and 0 loops"} {
//>     %0:2 = fork [2] %arg0 : i8
//>     %1 = arith.trunci %0#1 : i8 to i1
//>     %trueResult, %falseResult = cond_br %1, %0#0 : i8
//>     sink %falseResult : i8
//>     return %trueResult : i8
//>   }
//>   handshake.func @decimator(%arg0: i8, ...) -> i8 attributes {argNames = ["x"], resNames = ["y"], sluice.deadlock_free = "proved: from each of 2 states every argument is taken again"} {
//>     %0 = buffer [1] seq %4 {initValues = [0]} : i1
//>     %1:2 = fork [2] %0 : i1
//>     %2 = source
//>     %3 = constant %2 {value = true} : i1
//>     %4 = arith.xori %1#1, %3 : i1
//>     %trueResult, %falseResult = cond_br %1#0, %arg0 : i8
//>     sink %falseResult : i8
//>     return %trueResult : i8
//>   }
//>   handshake.func @gated_loop(%arg0: i8, ...) -> i16 attributes {argNames = ["x"], resNames = ["y"], sluice.deadlock_free = "proved: from each of 4 states every argument is taken again"} {
//>     %0:2 = fork [2] %arg0 : i8
//>     %1 = source
//>     %2 = constant %1 {value = 0 : i8} : i8
//>     %3 = source
//>     %4 = constant %3 {value = 0 : i16} : i16
//>     %5 = arith.extui %0#1 : i8 to i16
//>     %6 = arith.cmpi eq, %0#0, %2 : i8
//>     %7:2 = fork [2] %6 : i1
//>     %8 = buffer [1] seq %7#1 {initValues = [1]} : i1
//>     %9 = buffer [1] seq %falseResult : i16
//>     %10 = mux %8 [%9, %4] : i1, i16
//>     %11 = arith.addi %10, %5 : i16
//>     %trueResult, %falseResult = cond_br %7#0, %11 : i16
//>     return %trueResult : i16
//>   }
//>   handshake.func @expander(%arg0: i8, ...) -> i8 attributes {argNames = ["x"], resNames = ["y"], sluice.deadlock_free = "proved: no cycle in 54 waits of 13 channels and 1 loop"} {
//>     %0 = source
//>     %1 = constant %0 {value = 0 : i8} : i8
//>     %2 = source
//>     %3 = constant %2 {value = 1 : i8} : i8
//>     %4 = buffer [1] seq %8#1 {initValues = [0]} : i1
//>     %5 = mux %4 [%arg0, %10] : i1, i8
//>     %6:3 = fork [3] %5 : i8
//>     %7 = arith.cmpi ne, %6#2, %1 : i8
//>     %8:2 = fork [2] %7 : i1
//>     %9 = arith.subi %6#1, %3 : i8
//>     %trueResult, %falseResult = cond_br %8#0, %9 : i8
//>     %10 = buffer [1] seq %trueResult : i8
//>     sink %falseResult : i8
//>     return %6#0 : i8
//>   }
//>   handshake.func @filter_with_calls(%arg0: i8, %arg1: none, ...) -> (i8, none) attributes {argNames = ["x", "start"], resNames = ["y", "done"], sluice.deadlock_free = "proved: no cycle in 23 waits of 6 channels and 0 loops; no cycle in 2 waits of 1 channel and 0 loops"} {
//>     %0:2 = fork [2] %arg0 : i8
//>     %1 = arith.trunci %0#1 : i8 to i1
//>     %trueResult, %falseResult = cond_br %1, %0#0 : i8
//>     sink %falseResult : i8
//>     return %trueResult, %arg1 : i8, none
//>   }
//>   handshake.func @pick(%arg0: i8, %arg1: i8, ...) -> i8 attributes {argNames = ["a", "b"], resNames = ["y"], sluice.deadlock_free = "proved: from each of 2 states every argument is taken again"} {
//>     %0:2 = fork [2] %arg0 : i8
//>     %1 = arith.trunci %0#1 : i8 to i1
//>     %trueResult, %falseResult = cond_br %1, %0#0 : i8
//>     sink %falseResult : i8
//>     %2 = arith.addi %trueResult, %arg1 : i8
//>     return %2 : i8
//>   }
//>   handshake.func @router(%arg0: i8, %arg1: i8, ...) -> (i8, i8) attributes {argNames = ["a", "b"], resNames = ["p", "q"], sluice.deadlock_free = "proved: no cycle in 23 waits of 6 channels and 0 loops"} {
//>     %0:2 = fork [2] %arg1 : i8
//>     %1:2 = fork [2] %arg0 : i8
//>     %2 = arith.trunci %1#1 : i8 to i1
//>     %3 = arith.trunci %0#1 : i8 to i1
//>     %trueResult, %falseResult = cond_br %2, %1#0 : i8
//>     %trueResult_0, %falseResult_1 = cond_br %3, %0#0 : i8
//>     %4 = merge %falseResult, %falseResult_1 : i8
//>     %5 = merge %trueResult, %trueResult_0 : i8
//>     return %4, %5 : i8, i8
//>   }
//>   handshake.func @gcd(%arg0: i16, %arg1: i16, ...) -> i16 attributes {argNames = ["a", "b"], resNames = ["g"], sluice.deadlock_free = "proved: no cycle in 103 waits of 23 channels and 1 loop"} {
//>     %0 = source
//>     %1 = constant %0 {value = 0 : i16} : i16
//>     %2 = buffer [1] seq %9#2 {initValues = [0]} : i1
//>     %3:2 = fork [2] %2 : i1
//>     %4 = mux %3#1 [%arg0, %11] : i1, i16
//>     %5 = mux %3#0 [%arg1, %13] : i1, i16
//>     %6 = buffer [1] seq %5 : i16
//>     %7:2 = fork [2] %6 : i16
//>     %8 = arith.cmpi ne, %7#1, %1 : i16
//>     %9:3 = fork [3] %8 : i1
//>     %trueResult, %falseResult = cond_br %9#1, %4 : i16
//>     %trueResult_0, %falseResult_1 = cond_br %9#0, %7#0 : i16
//>     %10:2 = fork [2] %trueResult_0 : i16
//>     sink %falseResult_1 : i16
//>     %11 = buffer [1] seq %10#1 : i16
//>     %12 = arith.remui %trueResult, %10#0 : i16
//>     %13 = buffer [1] seq %12 : i16
//>     return %falseResult : i16
//>   }
//>   handshake.func @arbiter(%arg0: i8, %arg1: i8, ...) -> i8 attributes {argNames = ["a", "b"], resNames = ["y"]} {
//>     %0 = merge %arg0, %arg1 : i8
//>     %1 = buffer [1] seq %3#1 {initValues = [0]} : i8
//>     %2 = arith.addi %0, %1 : i8
//>     %3:2 = fork [2] %2 : i8
//>     return %3#0 : i8
//>   }
//> }
