// passes: narrow, rewrite, tidy

// A multiplication by a constant with few set bits is shifts and additions.
func.func @seven(%x: i16, %y: i16) -> (i16, i16) {
  %seven = arith.constant 7 : i16
  %a = arith.muli %x, %seven : i16
  %b = arith.muli %x, %y : i16
  %c = arith.subi %b, %b : i16
  %d = arith.addi %a, %c : i16
  return %d, %b : i16, i16
}

//> module {
//>   func.func @seven(%arg0: i16, %arg1: i16) -> (i16, i16) {
//>     %0 = arith.muli %arg0, %arg1 : i16
//>     %c3_i16 = arith.constant 3 : i16
//>     %1 = arith.shli %arg0, %c3_i16 : i16
//>     %2 = arith.subi %1, %arg0 : i16
//>     return %2, %0 : i16, i16
//>   }
//> }
