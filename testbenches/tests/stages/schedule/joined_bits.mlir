// passes: annotate, schedule

// Bits that are put together are wiring: those of a shifted and of a short value, a constant in bits that are zero, and a mask. What has a
// bit in common, or inverts one, takes tables.
func.func @joined(%a: i8, %b: i4) -> (i16, i16, i16, i16, i16) {
  %four = arith.constant 4 : i16
  %low = arith.constant 15 : i16
  %high = arith.constant 3 : i16
  %wide_a = arith.extui %a : i8 to i16
  %moved = arith.shli %wide_a, %four : i16
  %wide_b = arith.extui %b : i4 to i16
  %joined = arith.ori %moved, %wide_b : i16
  %apart = arith.xori %moved, %wide_b : i16
  %masked = arith.andi %wide_a, %low : i16
  %common = arith.ori %wide_a, %wide_b : i16
  %inverted = arith.xori %wide_a, %high : i16
  return %joined, %apart, %masked, %common, %inverted : i16, i16, i16, i16, i16
}

//> module attributes {sluice.clock_period_ns = 5.000000e+00 : f64, sluice.device = "generic"} {
//>   func.func @joined(%arg0: i8, %arg1: i4) -> (i16, i16, i16, i16, i16) attributes {sluice.cycles = 2 : i64, sluice.dependences = [], sluice.depth = 1 : i64} {
//>     %c4_i16 = arith.constant 4 : i16
//>     %c15_i16 = arith.constant 15 : i16
//>     %c3_i16 = arith.constant 3 : i16
//>     %0 = arith.extui %arg0 {sluice.class = "wire", sluice.start = 0 : i64} : i8 to i16
//>     %1 = arith.shli %0, %c4_i16 {sluice.class = "shift_constant", sluice.start = 0 : i64} : i16
//>     %2 = arith.extui %arg1 {sluice.class = "wire", sluice.start = 0 : i64} : i4 to i16
//>     %3 = arith.ori %1, %2 {sluice.class = "wire", sluice.start = 0 : i64} : i16
//>     %4 = arith.xori %1, %2 {sluice.class = "wire", sluice.start = 0 : i64} : i16
//>     %5 = arith.andi %0, %c15_i16 {sluice.class = "wire", sluice.start = 0 : i64} : i16
//>     %6 = arith.ori %0, %2 {sluice.class = "logic", sluice.start = 0 : i64} : i16
//>     %7 = arith.xori %0, %c3_i16 {sluice.class = "logic", sluice.start = 0 : i64} : i16
//>     return %3, %4, %5, %6, %7 : i16, i16, i16, i16, i16
//>   }
//> }
