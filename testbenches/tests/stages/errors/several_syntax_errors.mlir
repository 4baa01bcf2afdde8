func.func @first(%x: i8) -> i8 {
  %y = arith.addi %x, %missing : i8 //~ error: use of undeclared SSA value name
  return %y : i8
}
func.func @second(%x: i8) -> i8 {
  %y = arith.addi %x : i8 //~ error: expected ','
  return %y : i8
}
