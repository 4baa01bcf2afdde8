// The quotient needs the whole sum.
func.func @solve(%L: memref<8x8xi32>, %x: memref<8xi32>) {
  affine.for %i = 0 to 8 { //~ error: this order is not legal: the dependence of `%x`
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      %old = affine.load %x[%i] : memref<8xi32>
      %l = affine.load %L[%i, %j] : memref<8x8xi32>
      %x_j = affine.load %x[%j] : memref<8xi32>
      %product = arith.muli %l, %x_j : i32
      %new = arith.subi %old, %product : i32
      affine.store %new, %x[%i] : memref<8xi32>
    }
    %rest = affine.load %x[%i] : memref<8xi32>
    %pivot = affine.load %L[%i, %i] : memref<8x8xi32>
    %quotient = arith.divsi %rest, %pivot : i32
    affine.store %quotient, %x[%i] : memref<8xi32>
  } {sluice.reorder = ["1 j i", "i"]}
  return
}
