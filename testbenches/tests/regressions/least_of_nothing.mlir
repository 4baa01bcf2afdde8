// The least of a number and 0 was written as a comparison that never holds, which Verilator warns of.
func.func @least(%x: i64, %y: i64) -> (i64, i64, i64) {
  %zero = arith.constant 0 : i64
  %ones = arith.constant -1 : i64
  %a = arith.minui %x, %zero : i64
  %b = arith.maxui %y, %ones : i64
  %c = arith.maxui %y, %zero : i64
  return %a, %b, %c : i64, i64, i64
}
