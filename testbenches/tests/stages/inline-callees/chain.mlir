// passes: inline-callees

// The callee's body stands where the call stood; private functions nobody calls are gone.
func.func private @double(%x: i8) -> i8 {
  %two = arith.constant 2 : i8
  %y = arith.muli %x, %two : i8
  return %y : i8
}
func.func @twice(%x: i8) -> i8 {
  %a = func.call @double(%x) : (i8) -> i8
  %b = func.call @double(%a) : (i8) -> i8
  return %b : i8
}

//> module {
//>   func.func @twice(%arg0: i8) -> i8 {
//>     %c2_i8 = arith.constant 2 : i8
//>     %0 = arith.muli %arg0, %c2_i8 : i8
//>     %c2_i8_0 = arith.constant 2 : i8
//>     %1 = arith.muli %0, %c2_i8_0 : i8
//>     return %1 : i8
//>   }
//> }
