// run: 5 -> 9
func.func @k(%x: i32) -> i32 {
  %lo = arith.constant -4611686018427387904 : index
  %hi = arith.constant 4611686018427387904 : index
  %st = arith.constant 2305843009213693952 : index
  %o = arith.constant 1 : i32
  %r = scf.for %i = %lo to %hi step %st iter_args(%n = %x) -> (i32) {
    %n1 = arith.addi %n, %o : i32
    scf.yield %n1 : i32
  }
  return %r : i32
}
