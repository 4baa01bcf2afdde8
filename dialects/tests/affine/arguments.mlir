// Names of arguments have no numbers.
func.func @f() { affine.for %n#0 = 0 to 7 { } return }
// -----
func.func @f() { affine.for %n#x = 0 to 7 { } return }
// -----
func.func @f() { affine.parallel (%n, %m#1) = (0, 0) to (3, 4) { } return }
// -----
func.func @f(%a: index) {
  %r = affine.for %n = 0 to 3 iter_args(%x#0 = %a) -> (index) { affine.yield %a : index }
  return
}
// -----
func.func @f(%a: index) { scf.parallel (%n#0) = (%a) to (%a) step (%a) { } return }
// -----
func.func @f(%a: index) { scf.forall (%n#0) in (3) { } return }
// -----
func.func @f(%a: index) { scf.for %n#3 = %a to %a step %a { } return }
// -----
func.func @f(%a#0: index) { return }
// -----
func.func @f(%a: vector<f32>, %m: memref<4xf32>, %i: index) {
  affine.vector_store %a, %m[%i] : memref<4xf32>, vector<f32>
  return
}
// -----
func.func @f() { "u.x"() ({ ^bb0(%q#0: i32): "u.y"() : () -> () }) : () -> () return }
