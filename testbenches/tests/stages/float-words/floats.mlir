// passes: float-words

// Floats become integers of their bits, in values, memories, constants and types of functions.
func.func @words(%x: f32, %m: memref<4xf64>) -> (i1, f32) {
  %half = arith.constant 0.5 : f32
  %c0 = arith.constant 0 : index
  %d = memref.load %m[%c0] : memref<4xf64>
  %s = arith.truncf %d : f64 to f32
  %p = arith.mulf %x, %half : f32
  %q = arith.subf %p, %s : f32
  %i = arith.fptosi %q : f32 to i8
  %f = arith.sitofp %i : i8 to f32
  %less = arith.cmpf olt, %f, %q : f32
  %bits = arith.bitcast %f : f32 to i32
  %back = arith.bitcast %bits : i32 to f32
  %most = arith.maximumf %back, %q : f32
  return %less, %most : i1, f32
}
