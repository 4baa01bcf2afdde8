func.func @short(%x: memref<9xi32>) {
  affine.for %i = 0 to 3 { //~ error: 4 iterations of `%i` cannot be peeled: it has 3, the most that can be peeled
    %x0 = affine.load %x[%i] : memref<9xi32>
    affine.store %x0, %x[%i + 1] : memref<9xi32>
  } {sluice.peel_last = 4}
  return
}
