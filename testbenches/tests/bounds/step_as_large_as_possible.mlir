// run: 5 -> 6
func.func @k(%x: i32) -> i32 {
  %o = arith.constant 1 : i32
  %r = affine.for %i = 0 to 5 step 9223372036854775807 iter_args(%n = %x) -> (i32) {
    %m = arith.addi %n, %o : i32
    affine.yield %m : i32
  }
  return %r : i32
}
