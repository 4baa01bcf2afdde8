// config: {banks: {a: {dim: 1, factor: 5}}}
func.func @set(%a: memref<8x4xi32>, %x: i32) { //~ error: dimension 1 of `a` has 4 indices and cannot be split into 5 banks: from 1 to 4 would fit
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i, 0] : memref<8x4xi32>
  }
  return
}
