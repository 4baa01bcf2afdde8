// Signed minima of 32 bits in a chain.
func.func @min4(%a: i32, %b: i32, %c: i32, %d: i32, %e: i32) -> i32 {
  %0 = arith.minsi %a, %b : i32
  %1 = arith.minsi %0, %c : i32
  %2 = arith.minsi %1, %d : i32
  %3 = arith.minsi %2, %e : i32
  return %3 : i32
}
