// passes: affine-to-scf, restructure, canonicalise
// The recurrence over %x stays, the rest goes to loops of its own, in an order that the dependences allow.
func.func @parts(%x: memref<8xi32>, %y: memref<8xi32>, %z: memref<8xi32>) {
  affine.for %i = 1 to 8 {
    %z0 = affine.load %z[%i - 1] : memref<8xi32>
    affine.store %z0, %y[%i] : memref<8xi32>
    %before = affine.load %x[%i - 1] : memref<8xi32>
    %twice = arith.addi %before, %before : i32
    affine.store %twice, %x[%i] : memref<8xi32>
    %x0 = affine.load %x[%i] : memref<8xi32>
    affine.store %x0, %z[%i] : memref<8xi32>
  } {sluice.distribute}
  return
}

//> module {
//>   func.func @parts(%arg0: memref<8xi32>, %arg1: memref<8xi32>, %arg2: memref<8xi32>) {
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     scf.for %arg3 = %c1 to %c8 step %c1 {
//>       %c-1 = arith.constant -1 : index
//>       %0 = arith.addi %arg3, %c-1 : index
//>       %1 = memref.load %arg0[%0] : memref<8xi32>
//>       %2 = arith.addi %1, %1 : i32
//>       memref.store %2, %arg0[%arg3] : memref<8xi32>
//>     }
//>     scf.for %arg3 = %c1 to %c8 step %c1 {
//>       %0 = memref.load %arg0[%arg3] : memref<8xi32>
//>       memref.store %0, %arg2[%arg3] : memref<8xi32>
//>     }
//>     scf.for %arg3 = %c1 to %c8 step %c1 {
//>       %c-1 = arith.constant -1 : index
//>       %0 = arith.addi %arg3, %c-1 : index
//>       %1 = memref.load %arg2[%0] : memref<8xi32>
//>       memref.store %1, %arg1[%arg3] : memref<8xi32>
//>     }
//>     return
//>   }
//> }
