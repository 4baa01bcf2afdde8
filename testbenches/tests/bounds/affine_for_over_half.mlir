// run: 5 -> 9
func.func @k(%x: i32) -> i32 {
  %o = arith.constant 1 : i32
  %r = affine.for %i = -4611686018427387904 to 4611686018427387904 step 2305843009213693952 iter_args(%n = %x) -> (i32) {
    %n1 = arith.addi %n, %o : i32
    affine.yield %n1 : i32
  }
  return %r : i32
}
