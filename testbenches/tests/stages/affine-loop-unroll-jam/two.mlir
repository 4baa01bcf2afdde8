// passes: affine-loop-unroll-jam

// The inner loop copies four rows at once.
func.func @kernel(%a: memref<8x6xi32>, %b: memref<8x6xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %x = affine.load %a[%i, %j] : memref<8x6xi32>
      affine.store %x, %b[%i, %j] : memref<8x6xi32>
    }
  }
  return
}

//> #map = affine_map<(d0) -> (d0 + 1)>
//> #map1 = affine_map<(d0) -> (d0 + 2)>
//> #map2 = affine_map<(d0) -> (d0 + 3)>
//> module {
//>   func.func @kernel(%arg0: memref<8x6xi32>, %arg1: memref<8x6xi32>) {
//>     affine.for %arg2 = 0 to 8 step 4 {
//>       affine.for %arg3 = 0 to 6 {
//>         %0 = affine.load %arg0[%arg2, %arg3] : memref<8x6xi32>
//>         affine.store %0, %arg1[%arg2, %arg3] : memref<8x6xi32>
//>         %1 = affine.apply #map(%arg2)
//>         %2 = affine.load %arg0[%1, %arg3] : memref<8x6xi32>
//>         affine.store %2, %arg1[%1, %arg3] : memref<8x6xi32>
//>         %3 = affine.apply #map1(%arg2)
//>         %4 = affine.load %arg0[%3, %arg3] : memref<8x6xi32>
//>         affine.store %4, %arg1[%3, %arg3] : memref<8x6xi32>
//>         %5 = affine.apply #map2(%arg2)
//>         %6 = affine.load %arg0[%5, %arg3] : memref<8x6xi32>
//>         affine.store %6, %arg1[%5, %arg3] : memref<8x6xi32>
//>       }
//>     }
//>     return
//>   }
//> }
