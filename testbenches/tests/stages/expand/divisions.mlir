// passes: expand

// A division by a power of two is a shift, with a correction where the dividend may be negative.
func.func @divisions(%x: i16) -> (i16, i16, i16) {
  %eight = arith.constant 8 : i16
  %a = arith.divui %x, %eight : i16
  %b = arith.divsi %x, %eight : i16
  %c = arith.remui %x, %eight : i16
  return %a, %b, %c : i16, i16, i16
}

//> module {
//>   func.func @divisions(%arg0: i16) -> (i16, i16, i16) {
//>     %c8_i16 = arith.constant 8 : i16
//>     %c3_i16 = arith.constant 3 : i16
//>     %0 = arith.shrui %arg0, %c3_i16 : i16
//>     %c15_i16 = arith.constant 15 : i16
//>     %1 = arith.shrsi %arg0, %c15_i16 : i16
//>     %c13_i16 = arith.constant 13 : i16
//>     %2 = arith.shrui %1, %c13_i16 : i16
//>     %3 = arith.addi %arg0, %2 : i16
//>     %c3_i16_0 = arith.constant 3 : i16
//>     %4 = arith.shrsi %3, %c3_i16_0 : i16
//>     %c7_i16 = arith.constant 7 : i16
//>     %5 = arith.andi %arg0, %c7_i16 : i16
//>     return %0, %4, %5 : i16, i16, i16
//>   }
//> }
