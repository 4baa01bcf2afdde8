// passes: affine-loop-normalize

// The counter is computed from one that begins at 0 and goes by 1.
func.func @kernel(%m: memref<10xi32>, %v: i32) {
  affine.for %i = 1 to 10 step 3 {
    affine.store %v, %m[%i] : memref<10xi32>
  }
  return
}

//> #map = affine_map<()[s0] -> (s0 * 3 + 1)>
//> module {
//>   func.func @kernel(%arg0: memref<10xi32>, %arg1: i32) {
//>     affine.for %arg2 = 0 to 3 {
//>       %0 = affine.apply #map()[%arg2]
//>       affine.store %arg1, %arg0[%0] : memref<10xi32>
//>     }
//>     return
//>   }
//> }
