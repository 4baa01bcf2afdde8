// passes: handshake-to-hw

handshake.func @f(%a: f32) -> f32 {
  return %a : f32
}

//> kernel.mlir:3:19: error: `%a`: a channel holds integers, `index`, tuples or aggregates of `hw` of these, or nothing
//>     handshake.func @f(%a: f32) -> f32 {
//>                       ^
