// passes: affine-scalrep

// The load is the value of the store, and the memory goes.
func.func @kernel(%a: memref<8xi32>, %b: memref<8xi32>) {
  %m = memref.alloc() : memref<8xi32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    affine.store %x, %m[%i] : memref<8xi32>
    %y = affine.load %m[%i] : memref<8xi32>
    affine.store %y, %b[%i] : memref<8xi32>
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
