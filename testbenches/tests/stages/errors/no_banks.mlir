func.func @set(%a: memref<8x4xi32> {sluice.banks = {dim = 0, factor = 0}}, %x: i32) { //~ error: dimension 0 of `a` has 8 indices and cannot be split into 0 banks: from 1 to 8 would fit
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i, 0] : memref<8x4xi32>
  }
  return
}
