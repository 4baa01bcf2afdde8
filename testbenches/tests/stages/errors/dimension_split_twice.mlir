// config: {banks: {a: [{dim: 0, factor: 2}, {dim: 0, factor: 4}]}}
func.func @set(%a: memref<8x4xi32>, %x: i32) { //~ error: dimension 0 of `a` is split twice
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i, 0] : memref<8x4xi32>
  }
  return
}
