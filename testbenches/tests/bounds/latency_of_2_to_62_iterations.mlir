// latency: 9223372036854775811
func.func @k(%x: i32) -> i32 {
  %o = arith.constant 1 : i32
  %r = affine.for %i = 0 to 4611686018427387904 iter_args(%a = %x) -> (i32) {
    %n = arith.addi %a, %o : i32
    %p = arith.muli %n, %a : i32
    affine.yield %p : i32
  }
  return %r : i32
}
