// passes: affine-loop-unroll

// Four iterations at once; the two that are left over run in a loop of their own.
func.func @kernel(%m: memref<10xi32>, %v: i32) {
  affine.for %i = 0 to 10 {
    affine.store %v, %m[%i] : memref<10xi32>
  }
  return
}

//> #map = affine_map<(d0) -> (d0 + 1)>
//> #map1 = affine_map<(d0) -> (d0 + 2)>
//> #map2 = affine_map<(d0) -> (d0 + 3)>
//> module {
//>   func.func @kernel(%arg0: memref<10xi32>, %arg1: i32) {
//>     affine.for %arg2 = 0 to 8 step 4 {
//>       affine.store %arg1, %arg0[%arg2] : memref<10xi32>
//>       %0 = affine.apply #map(%arg2)
//>       affine.store %arg1, %arg0[%0] : memref<10xi32>
//>       %1 = affine.apply #map1(%arg2)
//>       affine.store %arg1, %arg0[%1] : memref<10xi32>
//>       %2 = affine.apply #map2(%arg2)
//>       affine.store %arg1, %arg0[%2] : memref<10xi32>
//>     }
//>     affine.for %arg2 = 8 to 10 {
//>       affine.store %arg1, %arg0[%arg2] : memref<10xi32>
//>     }
//>     return
//>   }
//> }
