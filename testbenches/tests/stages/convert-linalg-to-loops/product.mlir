// passes: convert-linalg-to-loops

func.func @windows(%x: memref<6xi32>, %k: memref<2xi32>, %y: memref<5xi32>) {
  linalg.conv_1d ins(%x, %k : memref<6xi32>, memref<2xi32>) outs(%y : memref<5xi32>)
  return
}

//> module {
//>   func.func @windows(%arg0: memref<6xi32>, %arg1: memref<2xi32>, %arg2: memref<5xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c5 = arith.constant 5 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg3 = %c0 to %c5 step %c1 {
//>       %c0_0 = arith.constant 0 : index
//>       %c2 = arith.constant 2 : index
//>       %c1_1 = arith.constant 1 : index
//>       scf.for %arg4 = %c0_0 to %c2 step %c1_1 {
//>         %0 = arith.addi %arg3, %arg4 : index
//>         %1 = memref.load %arg0[%0] : memref<6xi32>
//>         %2 = memref.load %arg1[%arg4] : memref<2xi32>
//>         %3 = memref.load %arg2[%arg3] : memref<5xi32>
//>         %4 = arith.muli %1, %2 : i32
//>         %5 = arith.addi %3, %4 : i32
//>         memref.store %5, %arg2[%arg3] : memref<5xi32>
//>       }
//>     }
//>     return
//>   }
//> }
