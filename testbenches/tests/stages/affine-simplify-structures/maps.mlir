// passes: affine-simplify-structures

// The subscript is simpler, and the condition always holds.
func.func @kernel(%a: memref<8xi32>, %b: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0) : (0 >= 0)>(%i) {
      %x = affine.load %a[%i mod 8 + (%i floordiv 8) * 8] : memref<8xi32>
      affine.store %x, %b[%i] : memref<8xi32>
    }
  }
  return
}

//> module {
//>   func.func @kernel(%arg0: memref<8xi32>, %arg1: memref<8xi32>) {
//>     affine.for %arg2 = 0 to 8 {
//>       %0 = affine.load %arg0[%arg2] : memref<8xi32>
//>       affine.store %0, %arg1[%arg2] : memref<8xi32>
//>     }
//>     return
//>   }
//> }
