// run: 7 -> 4
// run: 9223372036854775805 -> 0
// The upper bound wraps for great numbers: then it is below the lower one.
func.func @k(%n: index) -> i32 {
  %four = arith.constant 4 : index
  %step = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %end = arith.addi %n, %four : index
  %r = scf.for %i = %n to %end step %step iter_args(%a = %zero) -> (i32) {
    %b = arith.addi %a, %one : i32
    scf.yield %b : i32
  }
  return %r : i32
}
