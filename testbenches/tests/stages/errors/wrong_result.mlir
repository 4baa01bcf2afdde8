func.func @wrong(%x: i8) -> i16 {
  return %x : i8 //~ error: type of return operand 0 ('i8') doesn't match function result type ('i16') in function @wrong
}
