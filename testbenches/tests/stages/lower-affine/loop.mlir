// passes: lower-affine

// Subscripts become arithmetic, and a parallel loop stays one.
func.func @kernel(%a: memref<8xi32>, %b: memref<8xi32>) {
  affine.parallel (%i) = (0) to (8) {
    %x = affine.load %a[%i mod 4] : memref<8xi32>
    affine.store %x, %b[%i] : memref<8xi32>
  }
  return
}

//> module {
//>   func.func @kernel(%arg0: memref<8xi32>, %arg1: memref<8xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c8 = arith.constant 8 : index
//>     %c1 = arith.constant 1 : index
//>     scf.parallel (%arg2) = (%c0) to (%c8) step (%c1) {
//>       %c4 = arith.constant 4 : index
//>       %0 = arith.remsi %arg2, %c4 : index
//>       %c0_0 = arith.constant 0 : index
//>       %1 = arith.cmpi slt, %0, %c0_0 : index
//>       %2 = arith.addi %0, %c4 : index
//>       %3 = arith.select %1, %2, %0 : index
//>       %4 = memref.load %arg0[%3] : memref<8xi32>
//>       memref.store %4, %arg1[%arg2] : memref<8xi32>
//>       scf.reduce
//>     }
//>     return
//>   }
//> }
