// passes: int-range-optimizations

// The comparison always holds.
func.func @kernel(%a: memref<8xi8>, %b: memref<8xi32>) {
  %c300 = arith.constant 300 : i32
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<8xi8>
    %y = arith.extui %x : i8 to i32
    %p = arith.cmpi ult, %y, %c300 : i32
    %z = arith.select %p, %y, %c300 : i32
    affine.store %z, %b[%i] : memref<8xi32>
  }
  return
}

//> module {
//>   func.func @kernel(%arg0: memref<8xi8>, %arg1: memref<8xi32>) {
//>     affine.for %arg2 = 0 to 8 {
//>       %0 = affine.load %arg0[%arg2] : memref<8xi8>
//>       %1 = arith.extui %0 : i8 to i32
//>       affine.store %1, %arg1[%arg2] : memref<8xi32>
//>     }
//>     return
//>   }
//> }
