// passes: directives, normalise, lower-affine, bank
// config: {banks: {a: {dim: 0, factor: 4}}}

// An index without a value is somewhere too.
func.func @never(%a: memref<8xi32>, %x: i32) {
  affine.for %i = 4 to 2 {
    affine.store %x, %a[%i] : memref<8xi32>
  }
  affine.for %i = 5 to 1 step 3 {
    affine.store %x, %a[%i + 1] : memref<8xi32>
  }
  return
}
