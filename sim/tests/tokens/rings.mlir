// Rings without registers have no meaning in a cycle; without time they wait for one another.
//
// run 1
// -> error: `valid` is in a combinational loop through `sum` <- `sums`
// -> without time: deadlock: these wait for one another
// ->   `sums` for a token of `sum`
// ->   `sum` for a token of `sums#0`
handshake.func @rings(%a: i8, %start: none) -> (i8, none) {
  %sum = arith.addi %a, %sums#0 : i8
  %sums:2 = fork [2] %sum : i8
  return %sums#1, %start : i8, none
}
