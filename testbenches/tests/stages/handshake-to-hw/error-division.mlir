// passes: handshake-to-hw

handshake.func @f(%a: i8, %b: i8) -> i8 {
  %c = arith.divui %a, %b : i8
  return %c : i8
}

//> kernel.mlir:4:8: error: `arith.divui`: a division takes time: `sluice.latency` of at least 1
//>       %c = arith.divui %a, %b : i8
//>            ^
