// passes: prove-deadlock-freedom

// Euclid's algorithm: the ring through both values has room for as many tokens as it holds.
handshake.func @gcd(%arg0: i32, %arg1: i32, %arg2: none, ...) -> (i32, none) attributes {argNames = ["a", "b", "start"], resNames = ["result0", "done"], sluice.arguments = [{name = "a", type = i32, width = 32 : i64}, {name = "b", type = i32, width = 32 : i64}], sluice.results = [{type = i32, width = 32 : i64}]} {
  %1 = mux %11#0 [%arg0, %12#0] : i1, i32
  %2 = buffer [1] fifo %13 : i32
  %3 = buffer [1] fifo %11#1 : i1
  %4 = mux %3 [%arg1, %2] : i1, i32
  %5:2 = fork [2] %4 : i32
  %6 = source
  %7 = constant %6 {value = 0 : i32} : i32
  %8 = arith.cmpi ne, %5#1, %7 {sluice.class = "compare_equal"} : i32
  %9:3 = fork [3] %8 : i1
  %10 = buffer [1] seq %9#2 {initValues = [0]} : i1
  %11:2 = fork [2] %10 : i1
  %trueResult, %falseResult = cond_br %9#1, %1 : i32
  %trueResult_0, %falseResult_1 = cond_br %9#0, %5#0 : i32
  sink %falseResult_1 : i32
  %12:2 = fork [2] %trueResult_0 : i32
  %13 = arith.remui %trueResult, %12#1 {sluice.class = "remainder_unsigned", sluice.latency = 9 : i64, sluice.structure = "iterative_restoring"} : i32
  return %falseResult, %arg2 : i32, none
}

//> kernel.mlir:13:10: error: deadlock: these channels can wait for one another
//>       %9:3 = fork [3] %8 : i1
//>              ^
//> kernel.mlir:13:10: note: `trueResult` waits for a token of `fork1#1`
//>       %9:3 = fork [3] %8 : i1
//>              ^
//> kernel.mlir:13:10: note: `fork1` waits until `trueResult_0` takes a token of `fork1#0`, 1 token
//>       %9:3 = fork [3] %8 : i1
//>              ^
//> kernel.mlir:17:35: note: `trueResult_0` waits until `fork3` takes a token of `trueResult_0#0`, 1 token
//>       %trueResult_0, %falseResult_1 = cond_br %9#0, %5#0 : i32
//>                                       ^
//> kernel.mlir:19:11: note: `fork3` waits until `mux0` takes a token of `fork3#0`, 1 token
//>       %12:2 = fork [2] %trueResult_0 : i32
//>               ^
//> kernel.mlir:5:8: note: `mux0` waits until `trueResult` takes a token of `mux0`, 1 token
//>       %1 = mux %11#0 [%arg0, %12#0] : i1, i32
//>            ^
