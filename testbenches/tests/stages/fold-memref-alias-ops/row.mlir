// passes: fold-memref-alias-ops

// The row is read in the matrix.
func.func @kernel(%a: memref<4x8xi32>, %b: memref<8xi32>, %n: index) {
  %row = memref.subview %a[%n, 0] [1, 8] [1, 1] : memref<4x8xi32> to memref<8xi32, strided<[1], offset: ?>>
  affine.for %i = 0 to 8 {
    %x = affine.load %row[%i] : memref<8xi32, strided<[1], offset: ?>>
    affine.store %x, %b[%i] : memref<8xi32>
  }
  return
}

//> module {
//>   func.func @kernel(%arg0: memref<4x8xi32>, %arg1: memref<8xi32>, %arg2: index) {
//>     affine.for %arg3 = 0 to 8 {
//>       %0 = affine.load %arg0[%arg2, %arg3] : memref<4x8xi32>
//>       affine.store %0, %arg1[%arg3] : memref<8xi32>
//>     }
//>     return
//>   }
//> }
