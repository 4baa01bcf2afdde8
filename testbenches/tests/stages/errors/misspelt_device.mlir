// config: {device: ecp6}
func.func @add(%x: i64, %y: i64) -> i64 {
  %z = arith.addi %x, %y : i64
  return %z : i64
}
//~ error without a place: there is no built-in device `ecp6`; did you mean `ecp5`?
