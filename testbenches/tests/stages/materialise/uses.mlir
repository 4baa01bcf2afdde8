// passes: materialise

// What has several uses gets a fork, what has none a sink; constants of a source are made once for each use.
handshake.func @uses(%a: i8, %b: i8) -> (i8, i8) {
  %s = source
  %one = constant %s {value = 1 : i8} : i8
  %x = arith.addi %a, %one : i8
  %y = arith.muli %a, %one : i8
  %z = arith.muli %x, %y : i8
  return %x, %x : i8, i8
}

//> module {
//>   handshake.func @uses(%arg0: i8, %arg1: i8, ...) -> (i8, i8) attributes {argNames = ["a", "b"], resNames = ["out0", "out1"]} {
//>     sink %arg1 : i8
//>     %0:2 = fork [2] %arg0 : i8
//>     %1 = source
//>     %2 = source
//>     %3 = constant %2 {value = 1 : i8} : i8
//>     %4 = constant %1 {value = 1 : i8} : i8
//>     %5 = arith.addi %0#1, %4 : i8
//>     %6:3 = fork [3] %5 : i8
//>     %7 = arith.muli %0#0, %3 : i8
//>     %8 = arith.muli %6#2, %7 : i8
//>     sink %8 : i8
//>     return %6#1, %6#0 : i8, i8
//>   }
//> }
