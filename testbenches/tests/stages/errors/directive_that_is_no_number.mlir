func.func @f(%x: memref<9xi32>) {
  affine.for %i = 0 to 3 { //~ error: 'affine.for' op attribute 'sluice.tile' failed to satisfy constraint: a whole number from 1
    %x0 = affine.load %x[%i] : memref<9xi32>
    affine.store %x0, %x[%i + 1] : memref<9xi32>
  } {sluice.tile = "four"}
  return
}
