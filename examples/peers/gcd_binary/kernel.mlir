// Greatest common divisor of two positive integers by halving and subtracting.
func.func @gcd_binary(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  // Both are even: their common power of two.
  %common:3 = scf.while (%x = %a, %y = %b, %shift = %zero) : (i32, i32, i32) -> (i32, i32, i32) {
    %bits = arith.ori %x, %y : i32
    %lowest = arith.andi %bits, %one : i32
    %even = arith.cmpi eq, %lowest, %zero : i32
    scf.condition(%even) %x, %y, %shift : i32, i32, i32
  } do {
  ^bb0(%x: i32, %y: i32, %shift: i32):
    %x_half = arith.shrui %x, %one : i32
    %y_half = arith.shrui %y, %one : i32
    %shift_next = arith.addi %shift, %one : i32
    scf.yield %x_half, %y_half, %shift_next : i32, i32, i32
  }
  %odd = scf.while (%x = %common#0) : (i32) -> i32 {
    %lowest = arith.andi %x, %one : i32
    %even = arith.cmpi eq, %lowest, %zero : i32
    scf.condition(%even) %x : i32
  } do {
  ^bb0(%x: i32):
    %half = arith.shrui %x, %one : i32
    scf.yield %half : i32
  }
  %last:2 = scf.while (%x = %odd, %y = %common#1) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %y, %zero : i32
    scf.condition(%more) %x, %y : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %y_odd = scf.while (%value = %y) : (i32) -> i32 {
      %lowest = arith.andi %value, %one : i32
      %even = arith.cmpi eq, %lowest, %zero : i32
      scf.condition(%even) %value : i32
    } do {
    ^bb0(%value: i32):
      %half = arith.shrui %value, %one : i32
      scf.yield %half : i32
    }
    %smaller = arith.minui %x, %y_odd : i32
    %larger = arith.maxui %x, %y_odd : i32
    %difference = arith.subi %larger, %smaller : i32
    scf.yield %smaller, %difference : i32, i32
  }
  %divisor = arith.shli %last#0, %common#2 : i32
  return %divisor : i32
}
