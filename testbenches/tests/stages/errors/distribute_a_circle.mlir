func.func @circle(%x: memref<9xi32>, %y: memref<9xi32>) {
  affine.for %i = 0 to 8 { //~ error: `%i` cannot be distributed, all its statements stay together: the dependence of `%x` from the store at line 6 to the load at line 3 has the vector (1)
    %x0 = affine.load %x[%i] : memref<9xi32>
    affine.store %x0, %y[%i] : memref<9xi32>
    %y0 = affine.load %y[%i] : memref<9xi32>
    affine.store %y0, %x[%i + 1] : memref<9xi32>
  } {sluice.distribute}
  return
}
