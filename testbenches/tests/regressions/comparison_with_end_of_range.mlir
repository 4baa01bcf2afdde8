// Comparisons that hold always or never were written out, which Verilator warns of.
func.func @ends(%x: i5, %y: i5) -> (i1, i1, i1, i1) {
  %zero = arith.constant 0 : i5
  %ones = arith.constant -1 : i5
  %smallest = arith.constant -16 : i5
  %a = arith.cmpi uge, %x, %zero : i5
  %b = arith.cmpi ugt, %y, %ones : i5
  %c = arith.cmpi ugt, %zero, %x : i5
  %d = arith.cmpi sge, %y, %smallest : i5
  return %a, %b, %c, %d : i1, i1, i1, i1
}
