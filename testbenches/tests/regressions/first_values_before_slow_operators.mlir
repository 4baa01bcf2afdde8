// The first iteration takes other values than the others, and the selection does not fit a cycle together with what reads it.
func.func @first_values_before_slow_operators(%a: i32, %b: i32, %words: memref<16xi64>, %out: memref<16xi64>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 16 : index
  %start = arith.extui %a : i32 to i64
  %sum = scf.for %i = %zero to %n step %one iter_args(%sum = %start) -> (i64) {
    %word = memref.load %words[%i] : memref<16xi64>
    %next = arith.addi %sum, %word : i64
    memref.store %next, %out[%i] : memref<16xi64>
    scf.yield %next : i64
  }
  %c255 = arith.constant 255 : i32
  %c1 = arith.constant 1 : i32
  %low = arith.trunci %sum : i64 to i32
  %b_low = arith.andi %b, %c255 : i32
  %a_low = arith.andi %low, %c255 : i32
  %x0 = arith.ori %a_low, %c1 : i32
  %y0 = arith.ori %b_low, %c1 : i32
  %divisor:2 = scf.while (%x = %x0, %y = %y0) : (i32, i32) -> (i32, i32) {
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
