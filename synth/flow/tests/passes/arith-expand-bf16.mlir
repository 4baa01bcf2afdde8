// pipeline: builtin.module(arith-expand{include-bf16=true})
func.func @up(%a: bf16) -> f32 {
  %0 = arith.extf %a : bf16 to f32
  return %0 : f32
}
// -----
func.func @down(%a: f32) -> bf16 {
  %0 = arith.truncf %a : f32 to bf16
  return %0 : bf16
}
// -----
func.func @vectors(%a: vector<4xbf16>, %b: vector<4xf32>) -> (vector<4xf32>, vector<4xbf16>) {
  %0 = arith.extf %a : vector<4xbf16> to vector<4xf32>
  %1 = arith.truncf %b : vector<4xf32> to vector<4xbf16>
  return %0, %1 : vector<4xf32>, vector<4xbf16>
}
// -----
func.func @others(%c: f16, %d: f32) -> (f32, f16) {
  %2 = arith.extf %c : f16 to f32
  %3 = arith.truncf %d : f32 to f16
  return %2, %3 : f32, f16
}
