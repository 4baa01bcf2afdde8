// Shifts by more than the width and quotients by zero have the values of the meaning, as everywhere.
func.func @partial(%a: i8, %b: i8, %c: i1, %d: i1) -> (i8, i8, i8, i1, i1) {
  %0 = fixed.shift_right %a, %b : i8
  %1 = fixed.quotient %a, %b : i8
  %2 = fixed.scale %a, %b : i8
  %3 = fixed.quotient %c, %d : i1
  %4 = fixed.scale %c, %d : i1
  return %0, %1, %2, %3, %4 : i8, i8, i8, i1, i1
}
