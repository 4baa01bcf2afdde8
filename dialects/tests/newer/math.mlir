func.func @classes(%x: f32, %v: vector<4xf16>, %t: tensor<?xf64>) {
  %0 = math.isnan %x : f32
  %1 = math.isinf %x : f32
  %2 = math.isfinite %v {note} : vector<4xf16>
  %3 = math.isnormal %t : tensor<?xf64>
  return
}
// -----
func.func @clamp(%x: f32, %v: vector<4xf16>) {
  %0 = math.clampf %x to [%x, %x] : f32
  %1 = math.clampf %v to [%v, %v] fastmath<fast> {note} : vector<4xf16>
  return
}
// -----
func.func @several(%x: f32, %v: vector<4xf16>) {
  %0, %1 = math.sincos %x : f32
  %s, %c = math.sincos %v fastmath<fast> {note} : vector<4xf16>
  %2 = math.erfc %x fastmath<nnan> : f32
  return
}
// -----
func.func @f(%x: i32) {
  %0 = math.isnan %x : i32
  return
}
// -----
func.func @f(%x: f32) {
  %0 = "math.isnan"(%x) : (f32) -> i8
  return
}
// -----
func.func @f(%v: vector<4xf16>) {
  %0 = "math.isnan"(%v) : (vector<4xf16>) -> i1
  return
}
// -----
func.func @f(%x: f32, %y: f64) {
  %0 = math.clampf %x to [%x, %y] : f32
  return
}
// -----
func.func @f(%x: f32) {
  %0 = math.clampf %x, %x, %x : f32
  return
}
// -----
func.func @f(%x: f32) {
  %0 = math.sincos %x : f32
  return
}
