// passes: sccp

// The argument of a private function is the constant of its only call.
func.func private @twice(%x: i8) -> i8 {
  %r = arith.addi %x, %x : i8
  return %r : i8
}
func.func @caller() -> i8 {
  %three = arith.constant 3 : i8
  %a = call @twice(%three) : (i8) -> i8
  return %a : i8
}

//> module {
//>   func.func private @twice(%arg0: i8) -> i8 {
//>     %c3_i8 = arith.constant 3 : i8
//>     %c6_i8 = arith.constant 6 : i8
//>     return %c6_i8 : i8
//>   }
//>   func.func @caller() -> i8 {
//>     %c6_i8 = arith.constant 6 : i8
//>     %c3_i8 = arith.constant 3 : i8
//>     %0 = call @twice(%c3_i8) : (i8) -> i8
//>     return %c6_i8 : i8
//>   }
//> }
