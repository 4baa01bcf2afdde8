// passes: arith-expand

// A quotient that is rounded down is one less than the quotient to zero if there is a remainder and the signs differ.
func.func @kernel(%a: i32, %b: i32) -> i32 {
  %r = arith.floordivsi %a, %b : i32
  return %r : i32
}

//> module {
//>   func.func @kernel(%arg0: i32, %arg1: i32) -> i32 {
//>     %0 = arith.divsi %arg0, %arg1 : i32
//>     %1 = arith.muli %0, %arg1 : i32
//>     %2 = arith.cmpi ne, %arg0, %1 : i32
//>     %c0_i32 = arith.constant 0 : i32
//>     %3 = arith.cmpi slt, %arg0, %c0_i32 : i32
//>     %4 = arith.cmpi slt, %arg1, %c0_i32 : i32
//>     %5 = arith.cmpi ne, %3, %4 : i1
//>     %6 = arith.andi %2, %5 : i1
//>     %c-1_i32 = arith.constant -1 : i32
//>     %7 = arith.addi %0, %c-1_i32 : i32
//>     %8 = arith.select %6, %7, %0 : i32
//>     return %8 : i32
//>   }
//> }
