// passes: handshake-to-hw

handshake.func @f(%a: i8, %b: i8) -> i8 {
  %c = arith.addi %a, %a : i8
  return %c : i8
}

//> kernel.mlir:3:19: error: `%a` is used 2 times: a channel has one use; `handshake.fork` copies and `handshake.sink` drops tokens
//>     handshake.func @f(%a: i8, %b: i8) -> i8 {
//>                       ^
//> kernel.mlir:3:27: error: `%b` is used 0 times: a channel has one use; `handshake.fork` copies and `handshake.sink` drops tokens
//>     handshake.func @f(%a: i8, %b: i8) -> i8 {
//>                               ^
//> 2 errors
