// passes: affine-parallelize

// No iteration needs another one.
func.func @kernel(%a: memref<8x6xi32>, %b: memref<8x6xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %x = affine.load %a[%i, %j] : memref<8x6xi32>
      affine.store %x, %b[%i, %j] : memref<8x6xi32>
    }
  }
  return
}

//> module {
//>   func.func @kernel(%arg0: memref<8x6xi32>, %arg1: memref<8x6xi32>) {
//>     affine.parallel (%arg2) = (0) to (8) {
//>       affine.parallel (%arg3) = (0) to (6) {
//>         %0 = affine.load %arg0[%arg2, %arg3] : memref<8x6xi32>
//>         affine.store %0, %arg1[%arg2, %arg3] : memref<8x6xi32>
//>       }
//>     }
//>     return
//>   }
//> }
