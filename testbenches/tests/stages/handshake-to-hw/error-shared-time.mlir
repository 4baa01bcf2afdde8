// passes: handshake-to-hw

handshake.func @f(%a: i8, %b: i8) -> i8 {
  %c = arith.muli %a, %b {sluice.shared = 0 : i64} : i8
  return %c : i8
}

//> kernel.mlir:4:8: error: `arith.muli`: what shares a unit takes time: `sluice.latency` of at least 1
//>       %c = arith.muli %a, %b {sluice.shared = 0 : i64} : i8
//>            ^
