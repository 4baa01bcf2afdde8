// passes: handshake-to-hw

handshake.func @f(%a: i8, %b: i8) -> i8 {
  %c = arith.addi %a, %b {sluice.latency = 1 : i64, sluice.shared = 0 : i64} : i8
  return %c : i8
}

//> kernel.mlir:4:8: error: `arith.addi`: products and divisions share units, and nothing else
//>       %c = arith.addi %a, %b {sluice.latency = 1 : i64, sluice.shared = 0 : i64} : i8
//>            ^
