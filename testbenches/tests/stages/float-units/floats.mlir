// passes: float-words, annotate, narrow, tidy, schedule, float-units

// Both conversions start on the same unit, whose function is added.
func.func @twice(%x: i4, %y: i4) -> (f8E5M2, f8E5M2) {
  %a = arith.uitofp %x : i4 to f8E5M2
  %b = arith.uitofp %y : i4 to f8E5M2
  return %a, %b : f8E5M2, f8E5M2
}

//> kernel.mlir: error: `schedule` expects what `annotate` leaves: run that first
