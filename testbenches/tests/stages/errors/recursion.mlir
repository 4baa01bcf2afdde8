func.func @forever(%x: i8) -> i8 {
  %y = func.call @forever(%x) : (i8) -> i8 //~ error: `@forever` calls itself: recursion has no hardware, write a loop
  return %y : i8
}
