// passes: strip-debuginfo

// The module stays as it is without its locations.
func.func @kernel(%a: i32 loc("a.c":1:1)) -> i32 {
  %r = arith.addi %a, %a : i32 loc("a.c":2:3)
  return %r : i32
}

//> module {
//>   func.func @kernel(%arg0: i32) -> i32 {
//>     %0 = arith.addi %arg0, %arg0 : i32
//>     return %0 : i32
//>   }
//> }
