// passes: affine-loop-tile

// Tiles of four times four points.
func.func @kernel(%a: memref<8x8xi32>, %b: memref<8x8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<8x8xi32>
      affine.store %x, %b[%j, %i] : memref<8x8xi32>
    }
  }
  return
}

//> #map = affine_map<(d0) -> (d0)>
//> #map1 = affine_map<(d0) -> (d0 + 4)>
//> module {
//>   func.func @kernel(%arg0: memref<8x8xi32>, %arg1: memref<8x8xi32>) {
//>     affine.for %arg2 = 0 to 8 step 4 {
//>       affine.for %arg3 = 0 to 8 step 4 {
//>         affine.for %arg4 = #map(%arg2) to #map1(%arg2) {
//>           affine.for %arg5 = #map(%arg3) to #map1(%arg3) {
//>             %0 = affine.load %arg0[%arg4, %arg5] : memref<8x8xi32>
//>             affine.store %0, %arg1[%arg5, %arg4] : memref<8x8xi32>
//>           }
//>         }
//>       }
//>     }
//>     return
//>   }
//> }
