// passes: normalize-memrefs

// The local memory is a row for each column.
func.func @kernel(%a: memref<4x8xi32>, %b: memref<4x8xi32>) {
  %m = memref.alloc() : memref<4x8xi32, affine_map<(d0, d1) -> (d1, d0)>>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<4x8xi32>
      affine.store %x, %m[%i, %j] : memref<4x8xi32, affine_map<(d0, d1) -> (d1, d0)>>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %m[%i, 7 - %j] : memref<4x8xi32, affine_map<(d0, d1) -> (d1, d0)>>
      affine.store %x, %b[%i, %j] : memref<4x8xi32>
    }
  }
  return
}

//> #map = affine_map<(d0, d1) -> (d0)>
//> #map1 = affine_map<(d0, d1) -> (-d1 + 7)>
//> module {
//>   func.func @kernel(%arg0: memref<4x8xi32>, %arg1: memref<4x8xi32>) {
//>     %alloc = memref.alloc() : memref<8x4xi32>
//>     affine.for %arg2 = 0 to 4 {
//>       affine.for %arg3 = 0 to 8 {
//>         %0 = affine.load %arg0[%arg2, %arg3] : memref<4x8xi32>
//>         affine.store %0, %alloc[symbol(%arg3), symbol(%arg2)] : memref<8x4xi32>
//>       }
//>     }
//>     affine.for %arg2 = 0 to 4 {
//>       affine.for %arg3 = 0 to 8 {
//>         %0 = affine.apply #map(%arg2, %arg3)
//>         %1 = affine.apply #map1(%arg2, %arg3)
//>         %2 = affine.load %alloc[-symbol(%arg3) + 7, symbol(%arg2)] : memref<8x4xi32>
//>         affine.store %2, %arg1[%arg2, %arg3] : memref<4x8xi32>
//>       }
//>     }
//>     return
//>   }
//> }
