// passes: handshake-to-hw

handshake.func @f(%a: f32) -> f32 {
  %c = math.sqrt %a : f32
  return %c : f32
}

//> kernel.mlir:4:8: error: `math.sqrt`: no circuit for this operation in a dataflow graph
//>       %c = math.sqrt %a : f32
//>            ^
