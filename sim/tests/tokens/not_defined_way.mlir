// A quotient that is not defined says which way a token goes.
//
// run 1 1
// -> -1; 2 cycles
// run 1 0
// -> error: what `quotient` gives is not defined, and `way` needs it
// -> without time: error: what `quotient` gives is not defined, and `way` needs it
handshake.func @not_defined_way(%a: i1, %b: i1, %start: none) -> (i1, none) {
  %as:2 = fork [2] %a : i1
  %quotient = arith.divui %as#0, %b : i1
  %way, %other = cond_br %quotient, %as#1 : i1
  sink %other : i1
  return %way, %start : i1, none
}
