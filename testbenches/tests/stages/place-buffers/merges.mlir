// passes: place-buffers

// Whoever made a graph: no ring is left without a register.
handshake.func @merges(%a: i32, %start: none) -> (i32, none) {
  %0 = merge %a, %3 : i32
  %1:2 = fork [2] %0 : i32
  %2, %3 = cond_br %5, %1#0 : i32
  %4 = arith.trunci %1#1 : i32 to i1
  %5 = arith.addi %4, %4 : i1
  return %2, %start : i32, none
}

//> module {
//>   handshake.func @merges(%arg0: i32, %arg1: none, ...) -> (i32, none) attributes {argNames = ["a", "start"], resNames = ["out0", "out1"]} {
//>     %0 = merge %arg0, %falseResult : i32
//>     %1 = buffer [1] seq %0 {sluice.reason = "ring"} : i32
//>     %2:2 = fork [2] %1 : i32
//>     %trueResult, %falseResult = cond_br %4, %2#0 : i32
//>     %3 = arith.trunci %2#1 {sluice.class = "wire"} : i32 to i1
//>     %4 = arith.addi %3, %3 {sluice.class = "add"} : i1
//>     return %trueResult, %arg1 : i32, none
//>   }
//> }
