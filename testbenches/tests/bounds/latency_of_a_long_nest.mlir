// latency: 2000000023
func.func @k(%x: i32) -> i32 {
  %o = arith.constant 1 : i32
  %r = affine.for %i = 0 to 10 iter_args(%a = %x) -> (i32) {
   %q = affine.for %j = 0 to 100000000 iter_args(%b = %a) -> (i32) {
    %n = arith.addi %b, %o : i32
    %p = arith.muli %n, %b : i32
    affine.yield %p : i32
   }
   affine.yield %q : i32
  }
  return %r : i32
}
