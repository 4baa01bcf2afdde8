func.func @flags(%a: i32, %b: vector<4xi32>) -> i8 {
  %0 = arith.trunci %a overflow<nsw, nuw> : i32 to i8
  %1 = arith.trunci %b overflow<nuw> {note = 1} : vector<4xi32> to vector<4xi8>
  %2 = arith.trunci %a overflow<none> : i32 to i8
  %3 = "arith.trunci"(%a) <{overflowFlags = #arith.overflow<nsw>}> : (i32) -> i8
  return %0 : i8
}
// -----
func.func @exact(%a: i32, %b: i32, %i: index) {
  %0 = arith.divui %a, %b exact : i32
  %1 = arith.divsi %a, %b exact {note} : i32
  %2 = arith.shrui %i, %i exact : index
  %3 = arith.shrsi %a, %b exact : i32
  %4 = "arith.divui"(%a, %b) <{isExact}> : (i32, i32) -> i32
  %5 = "arith.divui"(%a, %b) : (i32, i32) -> i32
  return
}
// -----
func.func @scaling(%a: vector<4xf4E2M1FN>, %s: vector<4xf8E8M0FNU>, %x: f32, %y: f8E8M0FNU) {
  %0 = arith.scaling_extf %a, %s : vector<4xf4E2M1FN>, vector<4xf8E8M0FNU> to vector<4xf32>
  %1 = arith.scaling_extf %a, %s fastmath<nnan> : vector<4xf4E2M1FN>, vector<4xf8E8M0FNU> to vector<4xbf16>
  %2 = arith.scaling_truncf %x, %y : f32, f8E8M0FNU to f8E5M2
  %3 = arith.scaling_truncf %x, %y to_nearest_even fastmath<fast> : f32, f8E8M0FNU to f8E5M2
  return
}
// -----
func.func @f(%a: i32, %b: i32) {
  %0 = arith.ceildivui %a, %b exact : i32
  return
}
// -----
func.func @f(%a: i32, %b: i32) {
  %0 = arith.remui %a, %b exact : i32
  return
}
// -----
func.func @f(%a: i32) {
  %0 = arith.trunci %a overflow<nsw> : i32 to i64
  return
}
// -----
func.func @f(%a: i32) {
  %0 = arith.trunci %a overflow<fast> : i32 to i8
  return
}
// -----
func.func @f(%x: f32, %y: f8E8M0FNU) {
  %0 = arith.scaling_truncf %x, %y : f32, f8E8M0FNU to f64
  return
}
// -----
func.func @f(%x: f32, %y: vector<4xf8E8M0FNU>) {
  %0 = arith.scaling_truncf %x, %y : f32, vector<4xf8E8M0FNU> to f16
  return
}
// -----
func.func @f(%a: i32, %b: i32) {
  %0 = "arith.divui"(%a, %b) <{isExact = 1 : i32}> : (i32, i32) -> i32
  return
}
