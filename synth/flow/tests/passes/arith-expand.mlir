// pipeline: builtin.module(arith-expand)
func.func @quotients(%a: i32, %b: i32) -> (i32, i32, i32) {
  %0 = arith.ceildivsi %a, %b : i32
  %1 = arith.ceildivui %a, %b : i32
  %2 = arith.floordivsi %a, %b : i32
  return %0, %1, %2 : i32, i32, i32
}
// -----
func.func @of_indices(%a: index, %b: index) -> (index, index, index) {
  %0 = arith.floordivsi %a, %b : index
  %1 = arith.ceildivui %0, %b : index
  %2 = arith.ceildivsi %0, %1 : index
  return %0, %1, %2 : index, index, index
}
// -----
func.func @of_vectors(%a: vector<4xi8>, %b: vector<4xi8>, %c: tensor<2x?xi16>, %x: vector<3xf32>, %y: vector<3xf32>) -> (vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<3xf32>, vector<3xf32>) {
  %0 = arith.ceildivsi %a, %b : vector<4xi8>
  %1 = arith.ceildivui %a, %b : vector<4xi8>
  %2 = arith.floordivsi %a, %b : vector<4xi8>
  %3 = arith.maximumf %x, %y : vector<3xf32>
  %4 = arith.minnumf %x, %y : vector<3xf32>
  return %0, %1, %2, %3, %4 : vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<3xf32>, vector<3xf32>
}
// -----
func.func @floats(%a: f32, %b: f32, %c: f64, %d: bf16) -> (f32, f32, f32, f32, f64, bf16) {
  %0 = arith.maximumf %a, %b : f32
  %1 = arith.minimumf %a, %b : f32
  %2 = arith.maxnumf %a, %b : f32
  %3 = arith.minnumf %a, %b : f32
  %4 = arith.maximumf %c, %c : f64
  %5 = arith.minnumf %d, %d : bf16
  return %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f64, bf16
}
// -----
func.func @kept(%a: i32, %b: i32, %x: f32, %y: bf16) -> (i32, i32, i32, i32, bf16, f32) {
  %0 = arith.maxsi %a, %b : i32
  %1 = arith.minui %a, %b : i32
  %2 = arith.divsi %a, %b : i32
  %3 = arith.remui %a, %b : i32
  %4 = arith.truncf %x : f32 to bf16
  %5 = arith.extf %y : bf16 to f32
  return %0, %1, %2, %3, %4, %5 : i32, i32, i32, i32, bf16, f32
}
// -----
func.func @in_regions(%n: index, %p: i1, %a: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (i64) {
    %t = scf.if %p -> (i64) {
      %u = arith.floordivsi %s, %a : i64
      scf.yield %u : i64
    } else {
      %u = "demo.inside"() ({
        %c = arith.constant 9 : i64
        %v = arith.ceildivui %c, %s : i64
        "demo.end"(%v) : (i64) -> ()
      }) : () -> i64
      scf.yield %u : i64
    }
    scf.yield %t : i64
  }
  return %r : i64
}
// -----
func.func @constants() -> (i32, i32, i32) {
  %a = arith.constant -7 : i32
  %b = arith.constant 2 : i32
  %0 = arith.floordivsi %a, %b : i32
  %1 = arith.ceildivsi %a, %b : i32
  %2 = arith.ceildivui %a, %b : i32
  return %0, %1, %2 : i32, i32, i32
}
