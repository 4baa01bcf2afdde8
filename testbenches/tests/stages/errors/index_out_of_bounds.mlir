func.func @outside(%a: memref<4x4xi8>, %x: i8) {
  affine.for %i = 0 to 4 {
    affine.store %x, %a[%i, %i + 1] : memref<4x4xi8> //~ error: the index of dimension 1 goes from 1 to 4, outside of 0 to 3
  }
  affine.store %x, %a[7, 0] : memref<4x4xi8> //~ error: the index of dimension 0 is 7, outside of 0 to 3
  return
}
