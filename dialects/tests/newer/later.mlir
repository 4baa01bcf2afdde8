func.func @extensions(%a: i8, %v: vector<4xi8>) {
  %0 = arith.extui %a nneg : i8 to i16
  %1 = arith.uitofp %v nneg {note} : vector<4xi8> to vector<4xf32>
  %2 = arith.index_castui %a nneg : i8 to index
  %3 = "arith.extui"(%a) <{nonNeg}> : (i8) -> i16
  return
}
// -----
func.func @rounded(%x: f32, %h: f16) {
  %0 = arith.addf %x, %x to_nearest_even : f32
  %1 = arith.subf %x, %x upward fastmath<nnan> : f32
  %2 = arith.mulf %x, %x downward {note} : f32
  %3 = arith.divf %x, %x toward_zero : f32
  %4 = arith.convertf %h : f16 to bf16
  %5 = arith.convertf %h to_nearest_away fastmath<fast> : f16 to bf16
  %6 = arith.flush_denormals %x fastmath<nnan> : f32
  return
}
// -----
func.func @borrow(%x: i32, %v: vector<2xi8>) {
  %0, %1 = arith.subui_extended %x, %x : i32, i1
  %2:2 = arith.subui_extended %v, %v : vector<2xi8>, vector<2xi1>
  return
}
// -----
func.func @classes(%x: f32, %v: vector<4xf16>) {
  %0 = math.isinf %x fastmath<fast> : f32
  %1 = math.isfinite %v {note} : vector<4xf16>
  return
}
// -----
func.func @f(%x: f32) {
  %0 = arith.convertf %x : f32 to f32
  return
}
// -----
func.func @f(%x: f32) {
  %0 = arith.convertf %x : f32 to f16
  return
}
// -----
func.func @f(%x: f32) {
  %0 = arith.maximumf %x, %x upward : f32
  return
}
// -----
func.func @f(%x: i32) {
  %0 = arith.extsi %x nneg : i32 to i64
  return
}
// -----
func.func @f() {
  %0 = arith.constant -2.0 : f8E8M0FNU
  return
}
// -----
func.func @numbers(%x: f32) {
  %0 = arith.maximumnumf %x, %x fastmath<nnan> : f32
  %1 = arith.minimumnumf %x, %x : f32
  return
}
// -----
func.func @load(%m: memref<4xi32>, %i: index) {
  %0 = memref.load %m[%i] alignment(3) : memref<4xi32>
  return
}
