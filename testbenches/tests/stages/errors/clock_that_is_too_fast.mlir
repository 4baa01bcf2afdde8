// config: {clock_period_ns: 0.5}
func.func @add(%x: i64, %y: i64) -> i64 {
  %z = arith.addi %x, %y : i64 //~ error: `arith.addi`: `add` at 64 bits does not fit a clock period of 0.5 ns on device `generic`: its fastest structure needs 2.230 ns
  return %z : i64
}
