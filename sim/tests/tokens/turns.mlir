// Both divisions could begin in cycle 1: the later one in the text does, the other one in cycle 5, in which the first result is there, and its
// own is in cycle 9 = e. The products begin in cycles 1, 2 and 3, and wait: 10 cycles.
//
// run 100 7
// -> 14 0 -68 49 16; 10 cycles
handshake.func @turns(%a: i8, %b: i8, %start: none) -> (i8, i8, i8, i8, i8, none) {
  %as:5 = fork [5] %a : i8
  %bs:5 = fork [5] %b : i8
  %p = arith.divui %as#0, %bs#0 {sluice.latency = 4 : i64, sluice.shared = 7 : i64, sluice.credits = 1 : i64} : i8
  %q = arith.divui %bs#1, %as#1 {sluice.latency = 4 : i64, sluice.shared = 7 : i64, sluice.credits = 1 : i64} : i8
  %x = arith.muli %as#2, %bs#2 {sluice.latency = 2 : i64, sluice.shared = 0 : i64, sluice.credits = 2 : i64} : i8
  %y = arith.muli %bs#3, %bs#4 {sluice.latency = 2 : i64, sluice.shared = 0 : i64, sluice.credits = 1 : i64} : i8
  %z = arith.muli %as#3, %as#4 {sluice.latency = 2 : i64, sluice.shared = 0 : i64, sluice.credits = 1 : i64} : i8
  return %p, %q, %x, %y, %z, %start : i8, i8, i8, i8, i8, none
}
