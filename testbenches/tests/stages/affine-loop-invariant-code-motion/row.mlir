// passes: affine-loop-invariant-code-motion

// The element of the row is read once.
func.func @kernel(%a: memref<8xi32>, %b: memref<8x6xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %x = affine.load %a[%i] : memref<8xi32>
      affine.store %x, %b[%i, %j] : memref<8x6xi32>
    }
  }
  return
}

//> module {
//>   func.func @kernel(%arg0: memref<8xi32>, %arg1: memref<8x6xi32>) {
//>     affine.for %arg2 = 0 to 8 {
//>       %0 = affine.load %arg0[%arg2] : memref<8xi32>
//>       affine.for %arg3 = 0 to 6 {
//>         affine.store %0, %arg1[%arg2, %arg3] : memref<8x6xi32>
//>       }
//>     }
//>     return
//>   }
//> }
