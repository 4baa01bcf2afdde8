// passes: split
// config: {device: ecp5, clock_period_ns: 7}

// Of 32 bits both are too slow, of 8 bits none.
func.func @extremes(%a: i32, %b: i32, %c: i8, %d: i8) -> (i32, i32, i8) {
  %low = arith.minsi %a, %b : i32
  %top = arith.maxui %low, %b : i32
  %small = arith.minui %c, %d : i8
  return %low, %top, %small : i32, i32, i8
}

//> module {
//>   func.func @extremes(%arg0: i32, %arg1: i32, %arg2: i8, %arg3: i8) -> (i32, i32, i8) {
//>     %0 = arith.cmpi slt, %arg0, %arg1 : i32
//>     %1 = arith.select %0, %arg0, %arg1 : i32
//>     %2 = arith.cmpi ugt, %1, %arg1 : i32
//>     %3 = arith.select %2, %1, %arg1 : i32
//>     %4 = arith.minui %arg2, %arg3 : i8
//>     return %1, %3, %4 : i32, i32, i8
//>   }
//> }
