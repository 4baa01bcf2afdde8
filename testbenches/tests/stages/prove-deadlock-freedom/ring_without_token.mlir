// passes: materialise, prove-deadlock-freedom

// No token is in the ring, so none ever comes: the words wait for ever.
handshake.func @ring(%x: i24) -> (i24) attributes {argNames = ["x"], resNames = ["y"]} {
  %late = buffer [1] seq %sum : i24
  %sum = arith.addi %x, %late : i24
  return %sum : i24
}

//> kernel.mlir:5:11: error: deadlock: these channels can wait for one another
//>       %late = buffer [1] seq %sum : i24
//>               ^
//> kernel.mlir:5:11: note: `sum` waits for a token of `late`
//>       %late = buffer [1] seq %sum : i24
//>               ^
//> kernel.mlir:6:10: note: `late` waits for a token of `fork0#1`
//>       %sum = arith.addi %x, %late : i24
//>              ^
//> kernel.mlir:6:10: note: `fork0` waits for a token of `sum`
//>       %sum = arith.addi %x, %late : i24
//>              ^
