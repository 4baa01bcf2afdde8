// Euclid's algorithm. An iteration is one remainder of 4 cycles and one register: iteration i is in cycle 1 + 5 i.
//
// 12 and 18 take 3 iterations: e = 16, 17 cycles. 7 and 0 take none: 2 cycles.
//
// run 12 18
// -> 6; 17 cycles
// run 7 0
// -> 7; 2 cycles
handshake.func @gcd(%a: i8, %b: i8, %start: none) -> (i8, none) {
  %select = buffer [1] seq %mores#2 {initValues = [0]} : i1
  %selects:2 = fork [2] %select : i1
  %x = mux %selects#0 [%a, %next_x] : i1, i8
  %y = mux %selects#1 [%b, %next_y] : i1, i8
  %ys:2 = fork [2] %y : i8
  %always = source
  %zero = constant %always {value = 0 : i8} : i8
  %more = arith.cmpi ne, %ys#0, %zero : i8
  %mores:3 = fork [3] %more : i1
  %x_in, %x_out = cond_br %mores#0, %x : i8
  %y_in, %y_out = cond_br %mores#1, %ys#1 : i8
  sink %y_out : i8
  %divisors:2 = fork [2] %y_in : i8
  %rest = arith.remui %x_in, %divisors#0 {sluice.latency = 4 : i64} : i8
  %next_x = buffer [1] seq %divisors#1 : i8
  %next_y = buffer [1] seq %rest : i8
  return %x_out, %start : i8, none
}
