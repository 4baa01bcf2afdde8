// config: {banks: {a: {dim: 0, factor: 2, kind: block-cyclic}}}
func.func @set(%a: memref<8x4xi32>, %x: i32) { //~ error: block-cyclic banks of `a` need `block`
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i, 0] : memref<8x4xi32>
  }
  return
}
