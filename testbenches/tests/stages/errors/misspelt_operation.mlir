func.func @misspelt(%x: i8) -> i8 {
  %y = arith.adi %x, %x : i8 //~ error: custom op 'arith.adi' is unknown
  return %y : i8
}
