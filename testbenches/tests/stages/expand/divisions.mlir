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
//>     %1 = arith.divsi %arg0, %c8_i16 : i16
//>     %c7_i16 = arith.constant 7 : i16
//>     %2 = arith.andi %arg0, %c7_i16 : i16
//>     return %0, %1, %2 : i16, i16, i16
//>   }
//> }
