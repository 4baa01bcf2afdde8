// passes: canonicalize

// Constants fold, what is dead goes.
func.func @merge(%x: i8, %y: i8) -> i8 {
  %two = arith.constant 2 : i8
  %three = arith.constant 3 : i8
  %five = arith.addi %two, %three : i8
  %a = arith.addi %x, %y : i8
  %b = arith.addi %x, %y : i8
  %dead = arith.muli %a, %b : i8
  %c = arith.xori %a, %b : i8
  %d = arith.addi %five, %c : i8
  return %d : i8
}

//> module {
//>   func.func @merge(%arg0: i8, %arg1: i8) -> i8 {
//>     %c5_i8 = arith.constant 5 : i8
//>     %0 = arith.addi %arg0, %arg1 : i8
//>     %1 = arith.addi %arg0, %arg1 : i8
//>     %2 = arith.xori %0, %1 : i8
//>     %3 = arith.addi %2, %c5_i8 : i8
//>     return %3 : i8
//>   }
//> }
