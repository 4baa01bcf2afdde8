// config: {banks: {a: {dim: 0}}}
func.func @set(%a: memref<8x4xi32>, %x: i32) { //~ error: the banks of `a` have no number: `factor` is from 1 to 8 in dimension 0
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i, 0] : memref<8x4xi32>
  }
  return
}
