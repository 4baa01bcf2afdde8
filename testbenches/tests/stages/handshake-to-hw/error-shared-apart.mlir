// passes: handshake-to-hw

handshake.func @f(%a: i8, %b: i8, %c: i8, %d: i8) -> (i8, i8) {
  %e = arith.divui %a, %b {sluice.latency = 9 : i64, sluice.shared = 0 : i64} : i8
  %f = arith.divsi %c, %d {sluice.latency = 9 : i64, sluice.shared = 0 : i64} : i8
  return %e, %f : i8, i8
}

//> kernel.mlir:5:8: error: `arith.divsi`: expected one operation with one `sluice.latency` at a unit
//>       %f = arith.divsi %c, %d {sluice.latency = 9 : i64, sluice.shared = 0 : i64} : i8
//>            ^
