func.func @mixed(%x: i8, %y: i16) -> i8 {
  %z = "arith.addi"(%x, %y) : (i8, i16) -> i8 //~ error: 'arith.addi' op requires the same type for all operands and results
  %w = "arith.muli"(%x, %y) : (i8, i16) -> i16 //~ error: 'arith.muli' op requires the same type for all operands and results
  return %z : i8
}
