// A division of 4 cycles taken in cycle 1 is on its output in cycle 5 = e, the product of 3 cycles has waited since 4: 6 cycles.
//
// run 100 7
// -> 14 -68; 6 cycles
// run 1 0
// -> error: what `quotient` gives is not defined, and `return0` needs it
// -> without time: error: what `quotient` gives is not defined, and `return0` needs it
handshake.func @units(%a: i8, %b: i8, %start: none) -> (i8, i8, none) {
  %as:2 = fork [2] %a : i8
  %bs:2 = fork [2] %b : i8
  %quotient = arith.divui %as#0, %bs#0 {sluice.latency = 4 : i64} : i8
  %product = arith.muli %as#1, %bs#1 {sluice.latency = 3 : i64} : i8
  return %quotient, %product, %start : i8, i8, none
}
