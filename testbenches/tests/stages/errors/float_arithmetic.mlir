func.func @float(%x: f32, %y: f80) -> f32 { //~ error: argument of a kernel: `f80` has no hardware: use `f64` or `f128`
  %r = arith.remf %x, %x : f32 //~ error: `arith.remf` has no hardware yet: a remainder of floats is `x - trunc(x / y) * y`
  %e = math.tan %r : f32 //~ error: `math.tan` has no hardware yet: of float functions, `absf`, `atan`, `atan2`, `ceil`, `clampf`, `copysign`, `cos`, `erf`, `exp`, `exp2`, `floor`, `fma`, `isfinite`, `isinf`, `isnan`, `isnormal`, `log`, `log10`, `log2`, `powf`, `round`, `roundeven`, `rsqrt`, `sin`, `sincos`, `sqrt`, `tanh` and `trunc` have
  %w = arith.extf %e : f32 to f128
  %f = math.exp %w : f128 //~ error: `math.exp` of `f128` has no hardware: use a format of at most 64 bits
  %t = arith.truncf %e upward : f32 to f16 //~ error: `arith.truncf` rounds to the nearest, ties to even: leave out the rounding mode
  return %e : f32
}
