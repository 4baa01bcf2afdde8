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

//> module {
//>   func.func @words(%arg0: i32, %arg1: memref<4xi64>) -> (i1, i32) {
//>     %c1056964608_i32 = arith.constant 1056964608 : i32
//>     %c0 = arith.constant 0 : index
//>     %0 = memref.load %arg1[%c0] : memref<4xi64>
//>     %1 = sluice.float "convert f32" f64(%0) : (i64) -> i32
//>     %2 = sluice.float "mul" f32(%arg0, %c1056964608_i32) : (i32, i32) -> i32
//>     %3 = sluice.float "neg" f32(%1) : (i32) -> i32
//>     %4 = sluice.float "add" f32(%2, %3) : (i32, i32) -> i32
//>     %5 = sluice.float "to_signed" f32(%4) : (i32) -> i8
//>     %6 = sluice.float "from_signed" f32(%5) : (i8) -> i32
//>     %7 = sluice.float "compare olt" f32(%6, %4) : (i32, i32) -> i1
//>     %8 = sluice.float "maximum" f32(%6, %4) : (i32, i32) -> i32
//>     return %7, %8 : i1, i32
//>   }
//> }
