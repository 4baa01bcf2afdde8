// passes: handshake-to-hw

handshake.func @f(%a: i8) -> i8 attributes {sluice.arguments = [{name = "a", width = 8 : i64}]} {
  return %a : i8
}

//> kernel.mlir:3:1: error: `handshake.func`: the last argument of a kernel and its last result are `none`
//>     handshake.func @f(%a: i8) -> i8 attributes {sluice.arguments = [{name = "a", width = 8 : i64}]} {
//>     ^
