// run: 9223372036854775807, 9223372036854775804 -> 9223372036854775804, 3
// run: -9223372036854775808, 1 -> -9223372036854775808, 0
// run: -9223372036854775806, -9223372036854775808 -> -9223372036854775808, 2
func.func @k(%first: i64, %limit: i64) -> (i64, i32) {
  %minus = arith.constant -1 : i64
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %r:2 = scf.while (%i = %first, %n = %zero) : (i64, i32) -> (i64, i32) {
    %t = arith.cmpi sgt, %i, %limit : i64
    scf.condition(%t) %i, %n : i64, i32
  } do {
  ^bb0(%i: i64, %n: i32):
    %j = arith.addi %i, %minus : i64
    %m = arith.addi %n, %one : i32
    scf.yield %j, %m : i64, i32
  }
  return %r#0, %r#1 : i64, i32
}
