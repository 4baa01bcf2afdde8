// config: {banks: {a: {dim: 2, factor: 2}}}
func.func @set(%a: memref<8x4xi32>, %x: i32) { //~ error: `a` has no dimension 2: it has dimensions 0 to 1
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i, 0] : memref<8x4xi32>
  }
  return
}
