// passes: affine-loop-fusion

// The memory between the loops keeps one element.
func.func @kernel(%a: memref<8xi32>, %b: memref<8xi32>) {
  %m = memref.alloc() : memref<8xi32>
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %m[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %m[%i] : memref<8xi32>
    %y = arith.muli %x, %x : i32
    affine.store %y, %b[%i] : memref<8xi32>
  }
  return
}

//> module {
//>   func.func @kernel(%arg0: memref<8xi32>, %arg1: memref<8xi32>) {
//>     %alloc = memref.alloc() : memref<1xi32>
//>     affine.for %arg2 = 0 to 8 {
//>       %0 = affine.load %arg0[%arg2] : memref<8xi32>
//>       %1 = arith.addi %0, %0 : i32
//>       affine.store %1, %alloc[0] : memref<1xi32>
//>       %2 = affine.load %alloc[0] : memref<1xi32>
//>       %3 = arith.muli %2, %2 : i32
//>       affine.store %3, %arg1[%arg2] : memref<8xi32>
//>     }
//>     return
//>   }
//> }
