// passes: lower-to-handshake, share-units, place-buffers
// config: {style: elastic, clock_period_ns: 10, limits: {divide_unsigned: 1, multiply: 1}}

// Two divisions of different widths take turns; a product with a constant is no unit that is limited, and one product alone has its own.
func.func @divisions(%a: i16, %b: i16, %x: i8, %y: i8) -> (i16, i8) attributes {sluice.arguments = [{}, {}, {}, {}], sluice.dependences = []} {
  %three = arith.constant 3 : i16
  %c = arith.divui %a, %b : i16
  %d = arith.divui %x, %y : i8
  %e = arith.muli %c, %three : i16
  %f = arith.muli %d, %x : i8
  return %e, %f : i16, i8
}

//> module {
//>   handshake.func @divisions(%arg0: i16, %arg1: i16, %arg2: i8, %arg3: i8, %arg4: none, ...) -> (i16, i8, none) attributes {argNames = ["arg0", "arg1", "arg2", "arg3", "start"], resNames = ["result0", "result1", "done"], sluice.arguments = [{}, {}, {}, {}]} {
//>     %0:2 = fork [2] %arg2 : i8
//>     %1 = arith.divui %arg0, %arg1 {sluice.class = "divide_unsigned", sluice.credits = 1 : i64, sluice.latency = 4 : i64, sluice.shared = 0 : i64, sluice.structure = "iterative_restoring"} : i16
//>     %2 = arith.divui %0#1, %arg3 {sluice.class = "divide_unsigned", sluice.credits = 1 : i64, sluice.latency = 4 : i64, sluice.shared = 0 : i64, sluice.structure = "iterative_restoring"} : i8
//>     %3 = source
//>     %4 = constant %3 {value = 3 : i16} : i16
//>     %5 = arith.muli %1, %4 {sluice.class = "multiply"} : i16
//>     %6 = arith.muli %2, %0#0 {sluice.class = "multiply"} : i8
//>     return %5, %6, %arg4 : i16, i8, none
//>   }
//> }
