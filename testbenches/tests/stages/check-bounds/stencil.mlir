// passes: affine-to-scf, check-bounds

// The first iteration reads in front of the memory, the guarded store is only executed where it fits.
func.func @stencil(%a: memref<8xi32>, %b: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i - 1] : memref<8xi32>
    affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%i) {
      affine.store %x, %b[%i - 1] : memref<8xi32>
    }
  }
  return
}

//> kernel.mlir:6:10: error: the index of dimension 0 goes from -1 to 6, outside of 0 to 7
//>         %x = affine.load %a[%i - 1] : memref<8xi32>
//>              ^
