func.func @float(%x: f32, %y: f32) -> f32 { //~ error: argument of a kernel: floating-point type `f32` is not supported yet: use integers, for example fixed point //~ error: argument of a kernel: floating-point type `f32` is not supported yet: use integers, for example fixed point
  %z = arith.addf %x, %y : f32 //~ error: `arith.addf`: floating-point type `f32` is not supported yet: use integers, for example fixed point
  return %z : f32 //~ error: `func.return`: floating-point type `f32` is not supported yet: use integers, for example fixed point
}
