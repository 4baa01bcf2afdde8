func.func @two(%x: memref<8xi32>, %s: i32) {
  affine.for %i = 0 to 8 { //~ error: expected 2 places, one for each of the store at line 3, the store at line 7; found 1
    affine.store %s, %x[%i] : memref<8xi32>
    affine.for %j = 0 to 8 {
      %old = affine.load %x[%j] : memref<8xi32>
      %new = arith.addi %old, %s : i32
      affine.store %new, %x[%j] : memref<8xi32>
    }
  } {sluice.reorder = ["i"]}
  return
}
