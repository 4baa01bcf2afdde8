// passes: float-words, expand-floats

// Changes of the sign and comparisons are small: every schedule has their operations.
func.func @small(%x: f16, %y: f16) -> (i1, f16) {
  %negated = arith.negf %x : f16
  %equal = arith.cmpf oeq, %negated, %y : f16
  return %equal, %negated : i1, f16
}
