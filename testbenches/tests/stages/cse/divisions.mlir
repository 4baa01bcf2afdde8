// passes: cse

// Divisions are undefined for a divisor of 0, and equal ones are one nevertheless.
func.func @divide(%a: i32, %b: i32) -> (i32, i32) {
  %c7 = arith.constant 7 : i32
  %0 = arith.divsi %a, %c7 : i32
  %1 = arith.divsi %a, %c7 : i32
  %2 = arith.remui %a, %b : i32
  %3 = arith.remui %a, %b : i32
  %x = arith.xori %0, %2 : i32
  %y = arith.xori %1, %3 : i32
  return %x, %y : i32, i32
}

//> module {
//>   func.func @divide(%arg0: i32, %arg1: i32) -> (i32, i32) {
//>     %c7_i32 = arith.constant 7 : i32
//>     %0 = arith.divsi %arg0, %c7_i32 : i32
//>     %1 = arith.remui %arg0, %arg1 : i32
//>     %2 = arith.xori %0, %1 : i32
//>     return %2, %2 : i32, i32
//>   }
//> }
