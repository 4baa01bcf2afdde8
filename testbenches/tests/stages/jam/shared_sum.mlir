// passes: directives, normalise, affine-to-scf, jam, canonicalise, forward, balance
// config: {loops: {i: {jam: 4}}}

// All copies add to one cell: it is read and written once, and the iteration before is added last.
func.func @columns(%a: memref<4x8xi32>, %y: memref<8xi32>) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i, %j] : memref<4x8xi32>
      %old = affine.load %y[%j] : memref<8xi32>
      %new = arith.addi %old, %x : i32
      affine.store %new, %y[%j] : memref<8xi32>
    }
  }
  return
}

//> module {
//>   func.func @columns(%arg0: memref<4x8xi32>, %arg1: memref<8xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c2 = arith.constant 2 : index
//>     %c3 = arith.constant 3 : index
//>     %c8 = arith.constant 8 : index
//>     scf.for %arg2 = %c0 to %c8 step %c1 {
//>       %0 = memref.load %arg0[%c0, %arg2] : memref<4x8xi32>
//>       %1 = memref.load %arg1[%arg2] : memref<8xi32>
//>       %2 = memref.load %arg0[%c1, %arg2] : memref<4x8xi32>
//>       %3 = memref.load %arg0[%c2, %arg2] : memref<4x8xi32>
//>       %4 = memref.load %arg0[%c3, %arg2] : memref<4x8xi32>
//>       %5 = arith.addi %0, %2 : i32
//>       %6 = arith.addi %3, %4 : i32
//>       %7 = arith.addi %5, %6 : i32
//>       %8 = arith.addi %1, %7 : i32
//>       memref.store %8, %arg1[%arg2] : memref<8xi32>
//>     }
//>     return
//>   }
//> }
