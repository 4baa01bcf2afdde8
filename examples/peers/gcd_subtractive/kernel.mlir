// Greatest common divisor of two positive integers: the smaller is taken from the larger until they are equal.
func.func @gcd_subtractive(%a: i32, %b: i32) -> i32 {
  %divisor:2 = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %x, %y : i32
    scf.condition(%more) %x, %y : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %larger = arith.cmpi ugt, %x, %y : i32
    %x_less = arith.subi %x, %y : i32
    %y_less = arith.subi %y, %x : i32
    %x_next = arith.select %larger, %x_less, %x : i32
    %y_next = arith.select %larger, %y, %y_less : i32
    scf.yield %x_next, %y_next : i32, i32
  }
  return %divisor#0 : i32
}
