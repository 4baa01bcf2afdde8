// passes: affine-loop-coalescing

// One loop of 48 iterations.
func.func @kernel(%a: memref<8x6xi32>, %b: memref<8x6xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %x = affine.load %a[%i, %j] : memref<8x6xi32>
      affine.store %x, %b[%i, %j] : memref<8x6xi32>
    }
  }
  return
}

//> #map = affine_map<() -> (8)>
//> #map1 = affine_map<() -> (6)>
//> #map2 = affine_map<(d0)[s0] -> (d0 * s0)>
//> #map3 = affine_map<(d0)[s0] -> (d0 mod s0)>
//> #map4 = affine_map<(d0)[s0] -> (d0 floordiv s0)>
//> module {
//>   func.func @kernel(%arg0: memref<8x6xi32>, %arg1: memref<8x6xi32>) {
//>     %0 = affine.apply #map()
//>     %1 = affine.apply #map1()
//>     %2 = affine.apply #map2(%0)[%1]
//>     affine.for %arg2 = 0 to %2 {
//>       %3 = affine.apply #map3(%arg2)[%1]
//>       %4 = affine.apply #map4(%arg2)[%1]
//>       %5 = affine.load %arg0[%4, %3] : memref<8x6xi32>
//>       affine.store %5, %arg1[%4, %3] : memref<8x6xi32>
//>     }
//>     return
//>   }
//> }
