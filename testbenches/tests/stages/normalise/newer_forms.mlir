// passes: normalise

// Promises on memories are their operands, tests of floats are comparisons, and what no execution reaches returns anything.
func.func @promises(%a: memref<4xf32>, %b: memref<4xf32>, %i: index) -> f32 {
  %0 = memref.assume_alignment %a, 16 : memref<4xf32>
  memref.assume_alignment %b, 8 : memref<4xf32>
  %1:2 = memref.distinct_objects %0, %b : memref<4xf32>, memref<4xf32>
  %x = memref.load %1#0[%i] {alignment = 16 : i64} : memref<4xf32>
  %y = memref.load %1#1[%i] : memref<4xf32>
  %z = math.clampf %x to [%y, %x] : f32
  return %z : f32
}

func.func @tests(%x: f32, %y: f8E4M3FN) -> (i1, i1, i1, i1, i1) {
  %0 = math.isnan %x : f32
  %1 = math.isinf %x : f32
  %2 = math.isfinite %y : f8E4M3FN
  %3 = math.isinf %y : f8E4M3FN
  %4 = math.isnormal %x : f32
  return %0, %1, %2, %3, %4 : i1, i1, i1, i1, i1
}

func.func @angles(%x: f32) -> f32 {
  %s, %c = math.sincos %x : f32
  %r = arith.addf %s, %c : f32
  return %r : f32
}

func.func @never(%c: i1, %x: i32) -> i32 {
  cf.cond_br %c weights([1, 9]), ^bb1, ^bb2
^bb1:
  ub.unreachable
^bb2:
  return %x : i32
}

//> module {
//>   func.func @promises(%arg0: memref<4xf32>, %arg1: memref<4xf32>, %arg2: index) -> f32 {
//>     %0 = memref.load %arg0[%arg2] {alignment = 16 : i64} : memref<4xf32>
//>     %1 = memref.load %arg1[%arg2] : memref<4xf32>
//>     %2 = arith.minimumf %0, %0 : f32
//>     %3 = arith.maximumf %2, %1 : f32
//>     return %3 : f32
//>   }
//>   func.func @tests(%arg0: f32, %arg1: f8E4M3FN) -> (i1, i1, i1, i1, i1) {
//>     %0 = arith.cmpf uno, %arg0, %arg0 : f32
//>     %1 = math.absf %arg0 : f32
//>     %cst = arith.constant 0x7F800000 : f32
//>     %2 = arith.cmpf oeq, %1, %cst : f32
//>     %3 = arith.cmpf ord, %arg1, %arg1 : f8E4M3FN
//>     %false = arith.constant false
//>     %4 = math.absf %arg0 : f32
//>     %cst_0 = arith.constant 1.17549435E-38 : f32
//>     %5 = arith.cmpf oge, %4, %cst_0 : f32
//>     %6 = math.absf %arg0 : f32
//>     %cst_1 = arith.constant 0x7F800000 : f32
//>     %7 = arith.cmpf olt, %6, %cst_1 : f32
//>     %8 = arith.andi %5, %7 : i1
//>     return %0, %2, %3, %false, %8 : i1, i1, i1, i1, i1
//>   }
//>   func.func @angles(%arg0: f32) -> f32 {
//>     %0 = math.sin %arg0 : f32
//>     %1 = math.cos %arg0 : f32
//>     %2 = arith.addf %0, %1 : f32
//>     return %2 : f32
//>   }
//>   func.func @never(%arg0: i1, %arg1: i32) -> i32 {
//>     cf.cond_br %arg0 weights([1, 9]), ^bb1, ^bb2
//>   ^bb1:  // pred: ^bb0
//>     %c0_i32 = arith.constant {sluice.any} 0 : i32
//>     return %c0_i32 : i32
//>   ^bb2:  // pred: ^bb0
//>     return %arg1 : i32
//>   }
//> }
