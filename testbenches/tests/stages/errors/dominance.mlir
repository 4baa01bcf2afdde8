func.func @late(%x: i8) -> i8 {
  %a = arith.addi %b, %x : i8 //~ error: operand #0 does not dominate this use
  %b = arith.addi %x, %x : i8
  return %a : i8
}
