// config: {loops: {i: {unroll: 2, jam: 2, speculate: 1}}}
func.func @halve(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = scf.while (%i = %n) : (i32) -> i32 {
    //~^ error: `unroll` is for loops that count; for the `while` loop `i` there are `pipeline`, `ii` and `speculate`
    //~^^ error: `jam` is for loops that count; for the `while` loop `i` there are `pipeline`, `ii` and `speculate`
    %again = arith.cmpi ne, %i, %zero : i32
    scf.condition(%again) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.shrui %i, %one : i32
    scf.yield %next : i32
  }
  return %last : i32
}
