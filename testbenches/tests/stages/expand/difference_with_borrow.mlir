// passes: expand

// The borrow is the highest bit of a difference that is one bit wider.
func.func @borrow(%a: i8, %b: i8) -> (i8, i1) {
  %0, %1 = arith.subui_extended %a, %b : i8, i1
  return %0, %1 : i8, i1
}

//> module {
//>   func.func @borrow(%arg0: i8, %arg1: i8) -> (i8, i1) {
//>     %0 = arith.extui %arg0 : i8 to i9
//>     %1 = arith.extui %arg1 : i8 to i9
//>     %2 = arith.subi %0, %1 : i9
//>     %3 = arith.trunci %2 : i9 to i8
//>     %c8_i9 = arith.constant 8 : i9
//>     %4 = arith.shrui %2, %c8_i9 : i9
//>     %5 = arith.trunci %4 : i9 to i1
//>     return %3, %5 : i8, i1
//>   }
//> }
