// passes: inline

// The callee is used up and goes; what it does with the constant folds on the way.
func.func private @twice(%x: i8) -> i8 {
  %r = arith.addi %x, %x : i8
  return %r : i8
}
func.func @caller(%x: i8) -> (i8, i8) {
  %three = arith.constant 3 : i8
  %a = call @twice(%x) : (i8) -> i8
  %b = call @twice(%three) : (i8) -> i8
  return %a, %b : i8, i8
}

//> module {
//>   func.func @caller(%arg0: i8) -> (i8, i8) {
//>     %c6_i8 = arith.constant 6 : i8
//>     %0 = arith.addi %arg0, %arg0 : i8
//>     return %0, %c6_i8 : i8, i8
//>   }
//> }
