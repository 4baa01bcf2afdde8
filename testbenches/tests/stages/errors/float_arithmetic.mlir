func.func @float(%x: f32, %y: f80) -> f32 { //~ error: argument of a kernel: `f80` has no hardware: use `f64` or `f128`
  %r = arith.remf %x, %x : f32 //~ error: `arith.remf` has no hardware yet: a remainder of floats is `x - trunc(x / y) * y`
  %e = math.exp %r : f32 //~ error: `math.exp` has no hardware yet: of float functions, `absf`, `ceil`, `copysign`, `floor`, `fma`, `round`, `roundeven`, `sqrt` and `trunc` have
  %t = arith.truncf %e upward : f32 to f16 //~ error: `arith.truncf` rounds to the nearest, ties to even: leave out the rounding mode
  return %e : f32
}
