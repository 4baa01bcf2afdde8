// passes: materialise, prove-deadlock-freedom

// Odd words meet all words: after five even ones both sides wait.
handshake.func @mismatch(%a: i8) -> (i8) attributes {argNames = ["a"], resNames = ["y"]} {
  %bit = arith.trunci %a : i8 to i1
  %odd, %even = cond_br %bit, %a : i8
  sink %even : i8
  %late = buffer [4] fifo %a : i8
  %y = arith.addi %odd, %late : i8
  return %y : i8
}

//> kernel.mlir:4:26: error: deadlock: these channels can wait for one another
//>     handshake.func @mismatch(%a: i8) -> (i8) attributes {argNames = ["a"], resNames = ["y"]} {
//>                              ^
//> kernel.mlir:4:26: note: `fork0` waits until `late` takes a token of `fork0#0`, 1 token
//>     handshake.func @mismatch(%a: i8) -> (i8) attributes {argNames = ["a"], resNames = ["y"]} {
//>                              ^
//> kernel.mlir:8:11: note: `late` waits until `y` takes a token of `late`, 4 tokens
//>       %late = buffer [4] fifo %a : i8
//>               ^
//> kernel.mlir:6:17: note: `y` waits for a token of `odd#0`
//>       %odd, %even = cond_br %bit, %a : i8
//>                     ^
//> kernel.mlir:4:26: note: `odd` waits for a token of `fork0#1`
//>     handshake.func @mismatch(%a: i8) -> (i8) attributes {argNames = ["a"], resNames = ["y"]} {
//>                              ^
