// passes: handshake-to-hw

handshake.func @f(%a: i8) -> i8 {
  %c = instance @f(%a) : (i8) -> i8
  return %c : i8
}

//> kernel.mlir:3:1: error: a function with an instance of itself has no circuit: @f -> @f
//>     handshake.func @f(%a: i8) -> i8 {
//>     ^
