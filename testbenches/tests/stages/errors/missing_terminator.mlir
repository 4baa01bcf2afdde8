func.func @open(%x: i8) -> i8 {
  %y = arith.addi %x, %x : i8 //~ error: block with no terminator, has %0 = "arith.addi"
}
