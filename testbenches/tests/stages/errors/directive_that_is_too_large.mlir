func.func @f(%x: memref<9xi32>) {
  affine.for %i = 0 to 3 { //~ error: `sluice.tile` is a number of iterations from 1 to 2^20
    %x0 = affine.load %x[%i] : memref<9xi32>
    affine.store %x0, %x[%i + 1] : memref<9xi32>
  } {sluice.tile = 2097152 : i64}
  return
}
