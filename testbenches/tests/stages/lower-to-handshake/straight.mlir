// passes: lower-to-handshake

// Without control flow a value goes to those who need it, by forks; constants are always there.
func.func @straight(%a: i8, %b: i8) -> (i8, i8) attributes {sluice.dependences = []} {
  %c3 = arith.constant 3 : i8
  %sum = arith.addi %a, %b : i8
  %product = arith.muli %sum, %sum : i8
  %more = arith.addi %product, %c3 : i8
  return %more, %c3 : i8, i8
}

//> module {
//>   handshake.func @straight(%arg0: i8, %arg1: i8, %arg2: none, ...) -> (i8, i8, none) attributes {argNames = ["arg0", "arg1", "start"], resNames = ["result0", "result1", "done"]} {
//>     %0 = arith.addi %arg0, %arg1 : i8
//>     %1:2 = fork [2] %0 : i8
//>     %2 = arith.muli %1#1, %1#0 : i8
//>     %3 = source
//>     %4 = source
//>     %5 = constant %4 {value = 3 : i8} : i8
//>     %6 = constant %3 {value = 3 : i8} : i8
//>     %7 = arith.addi %2, %6 : i8
//>     return %7, %5, %arg2 : i8, i8, none
//>   }
//> }
