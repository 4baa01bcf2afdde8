// run: 5 -> 4611686018427387904, 9
func.func @k(%x: i32) -> (i64, i32) {
  %lo = arith.constant -4611686018427387904 : i64
  %hi = arith.constant 4611686018427387904 : i64
  %st = arith.constant 2305843009213693952 : i64
  %o = arith.constant 1 : i32
  %r:2 = scf.while (%i = %lo, %n = %x) : (i64, i32) -> (i64, i32) {
    %t = arith.cmpi slt, %i, %hi : i64
    scf.condition(%t) %i, %n : i64, i32
  } do {
  ^bb0(%i: i64, %n: i32):
    %j = arith.addi %i, %st : i64
    %m = arith.addi %n, %o : i32
    scf.yield %j, %m : i64, i32
  }
  return %r#0, %r#1 : i64, i32
}
