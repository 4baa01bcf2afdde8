// config: {loops: {i: {unroll: 4}}}
func.func @straight(%n: i32) -> i32 {
  return %n : i32
}
//~ error without a place: directives for a loop `i`, but no loop has a name: `affine.for`, `affine.parallel`, `scf.for`, `scf.parallel`, `scf.forall` and `scf.while` have that of the first value of their body
