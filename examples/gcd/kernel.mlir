// Greatest common divisor of two unsigned integers by Euclid's algorithm. gcd(a, 0) = a.
func.func @gcd(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %divisor:2 = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %y, %zero : i32
    scf.condition(%more) %x, %y : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %remainder = arith.remui %x, %y : i32
    scf.yield %y, %remainder : i32, i32
  }
  return %divisor#0 : i32
}
