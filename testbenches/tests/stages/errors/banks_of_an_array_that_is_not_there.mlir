// config: {banks: {b: {dim: 0, factor: 2}}}
func.func @set(%a: memref<8x4xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i, 0] : memref<8x4xi32>
  }
  return
}
//~ error without a place: banks for an array `b`, but the arrays are called `a`
