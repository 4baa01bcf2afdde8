// A quotient that nobody chooses may be anything; one that decides something may not. All in cycle 1 = e.
//
// run 6 3
// -> 2; 2 cycles
// run 6 0
// -> -1; 2 cycles
// run 6 4
// -> 1; 2 cycles
handshake.func @not_defined(%a: i8, %b: i8, %start: none) -> (i8, none) {
  %starts:3 = fork [3] %start : none
  %bs:2 = fork [2] %b : i8
  %zero = constant %starts#0 {value = 0 : i8} : i8
  %minus = constant %starts#1 {value = -1 : i8} : i8
  %quotient = arith.divui %a, %bs#0 : i8
  %is_defined = arith.cmpi ne, %bs#1, %zero : i8
  %chosen = arith.select %is_defined, %quotient, %minus : i8
  return %chosen, %starts#2 : i8, none
}
