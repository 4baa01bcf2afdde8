// passes: convert-linalg-to-affine-loops

func.func @windows(%x: memref<6xi32>, %k: memref<2xi32>, %y: memref<5xi32>) {
  linalg.conv_1d ins(%x, %k : memref<6xi32>, memref<2xi32>) outs(%y : memref<5xi32>)
  return
}

//> module {
//>   func.func @windows(%arg0: memref<6xi32>, %arg1: memref<2xi32>, %arg2: memref<5xi32>) {
//>     affine.for %arg3 = 0 to 5 {
//>       affine.for %arg4 = 0 to 2 {
//>         %0 = affine.load %arg0[%arg3 + %arg4] : memref<6xi32>
//>         %1 = affine.load %arg1[%arg4] : memref<2xi32>
//>         %2 = affine.load %arg2[%arg3] : memref<5xi32>
//>         %3 = arith.muli %0, %1 : i32
//>         %4 = arith.addi %2, %3 : i32
//>         affine.store %4, %arg2[%arg3] : memref<5xi32>
//>       }
//>     }
//>     return
//>   }
//> }
