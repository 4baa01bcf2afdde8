// passes: prove-deadlock-freedom

// A loop: the register says whether an iteration is behind, and the ring has room for more than its token.
handshake.func @loop(%a: i8, %start: none) -> (i8, none) {
  %select = buffer [1] seq %again#0 {initValues = [0], sluice.cut = "data"} : i1
  %x = mux %select [%a, %back] : i1, i8
  %room = buffer [1] seq %x : i8
  %both:4 = fork [4] %room : i8
  %next = arith.andi %both#0, %both#1 : i8
  %more = arith.cmpi ult, %both#2, %both#3 : i8
  %again:2 = fork [2] %more : i1
  %back, %out = cond_br %again#1, %next : i8
  return %out, %start : i8, none
}

//> module {
//>   handshake.func @loop(%arg0: i8, %arg1: none, ...) -> (i8, none) attributes {argNames = ["a", "start"], resNames = ["out0", "out1"], sluice.deadlock_free = "proved: no cycle in 73 waits of 15 channels and 1 loop"} {
//>     %0 = buffer [1] seq %6#0 {initValues = [0], sluice.cut = "data"} : i1
//>     %1 = mux %0 [%arg0, %trueResult] : i1, i8
//>     %2 = buffer [1] seq %1 : i8
//>     %3:4 = fork [4] %2 : i8
//>     %4 = arith.andi %3#0, %3#1 : i8
//>     %5 = arith.cmpi ult, %3#2, %3#3 : i8
//>     %6:2 = fork [2] %5 : i1
//>     %trueResult, %falseResult = cond_br %6#1, %4 : i8
//>     return %falseResult, %arg1 : i8, none
//>   }
//> }
