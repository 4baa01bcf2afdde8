func.func @endless(%x: i8) -> i8 { //~ error: the function never returns
  cf.br ^loop
^loop:
  cf.br ^loop
^end:
  return %x : i8
}
