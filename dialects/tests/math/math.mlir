func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %absf = math.absf %x : f32
  %absf2 = math.absf %x fastmath<fast> {t.a} : f32
  %acos = math.acos %x : f32
  %acos2 = math.acos %x fastmath<fast> {t.a} : f32
  %acosh = math.acosh %x : f32
  %acosh2 = math.acosh %x fastmath<fast> {t.a} : f32
  %asin = math.asin %x : f32
  %asin2 = math.asin %x fastmath<fast> {t.a} : f32
  %asinh = math.asinh %x : f32
  %asinh2 = math.asinh %x fastmath<fast> {t.a} : f32
  %atan = math.atan %x : f32
  %atan2 = math.atan %x fastmath<fast> {t.a} : f32
  %atanh = math.atanh %x : f32
  %atanh2 = math.atanh %x fastmath<fast> {t.a} : f32
  %cbrt = math.cbrt %x : f32
  %cbrt2 = math.cbrt %x fastmath<fast> {t.a} : f32
  %ceil = math.ceil %x : f32
  %ceil2 = math.ceil %x fastmath<fast> {t.a} : f32
  %cos = math.cos %x : f32
  %cos2 = math.cos %x fastmath<fast> {t.a} : f32
  %cosh = math.cosh %x : f32
  %cosh2 = math.cosh %x fastmath<fast> {t.a} : f32
  %erf = math.erf %x : f32
  %erf2 = math.erf %x fastmath<fast> {t.a} : f32
  %exp = math.exp %x : f32
  %exp2 = math.exp %x fastmath<fast> {t.a} : f32
  %exp2 = math.exp2 %x : f32
  %exp22 = math.exp2 %x fastmath<fast> {t.a} : f32
  %expm1 = math.expm1 %x : f32
  %expm12 = math.expm1 %x fastmath<fast> {t.a} : f32
  %floor = math.floor %x : f32
  %floor2 = math.floor %x fastmath<fast> {t.a} : f32
  %log = math.log %x : f32
  %log2 = math.log %x fastmath<fast> {t.a} : f32
  %log10 = math.log10 %x : f32
  %log102 = math.log10 %x fastmath<fast> {t.a} : f32
  %log1p = math.log1p %x : f32
  %log1p2 = math.log1p %x fastmath<fast> {t.a} : f32
  %log2 = math.log2 %x : f32
  %log22 = math.log2 %x fastmath<fast> {t.a} : f32
  %round = math.round %x : f32
  %round2 = math.round %x fastmath<fast> {t.a} : f32
  %roundeven = math.roundeven %x : f32
  %roundeven2 = math.roundeven %x fastmath<fast> {t.a} : f32
  %rsqrt = math.rsqrt %x : f32
  %rsqrt2 = math.rsqrt %x fastmath<fast> {t.a} : f32
  %sin = math.sin %x : f32
  %sin2 = math.sin %x fastmath<fast> {t.a} : f32
  %sinh = math.sinh %x : f32
  %sinh2 = math.sinh %x fastmath<fast> {t.a} : f32
  %sqrt = math.sqrt %x : f32
  %sqrt2 = math.sqrt %x fastmath<fast> {t.a} : f32
  %tan = math.tan %x : f32
  %tan2 = math.tan %x fastmath<fast> {t.a} : f32
  %tanh = math.tanh %x : f32
  %tanh2 = math.tanh %x fastmath<fast> {t.a} : f32
  %trunc = math.trunc %x : f32
  %trunc2 = math.trunc %x fastmath<fast> {t.a} : f32
  %atan2 = math.atan2 %x, %x : f32
  %atan22 = math.atan2 %x, %x fastmath<nnan> {t.a} : f32
  %copysign = math.copysign %x, %x : f32
  %copysign2 = math.copysign %x, %x fastmath<nnan> {t.a} : f32
  %powf = math.powf %x, %x : f32
  %powf2 = math.powf %x, %x fastmath<nnan> {t.a} : f32
  %absi = math.absi %i : i32
  %absi2 = math.absi %i {t.a} : i32
  %ctlz = math.ctlz %i : i32
  %ctlz2 = math.ctlz %i {t.a} : i32
  %ctpop = math.ctpop %i : i32
  %ctpop2 = math.ctpop %i {t.a} : i32
  %cttz = math.cttz %i : i32
  %cttz2 = math.cttz %i {t.a} : i32
  %p = math.ipowi %i, %i : i32
  %q = math.fpowi %x, %i : f32, i32
  %q2 = math.fpowi %x, %j fastmath<fast> {t.a} : f32, i64
  %r = math.fma %x, %x, %x : f32
  %r2 = math.fma %x, %x, %x fastmath<fast> : f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = math.sqrt %i : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = math.absi %x : f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = math.fpowi %x, %x : f32, f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = math.fpowi %i, %i : i32, i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = math.ipowi %x, %x : f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = math.fma %x, %x : f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = "math.atan2"(%x, %x) : (f32, f32) -> f64
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = "math.fpowi"(%x, %i) : (f32, i32) -> f64
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %n: index, %b: i1) {
  %0 = math.ctpop %n : index
  return
}
