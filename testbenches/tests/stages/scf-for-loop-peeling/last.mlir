// passes: scf-for-loop-peeling

// The last iteration begins at 8.
func.func @kernel(%m: memref<10xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c4 {
    memref.store %v, %m[%i] : memref<10xi32>
  }
  return
}

//> module {
//>   func.func @kernel(%arg0: memref<10xi32>, %arg1: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c4 = arith.constant 4 : index
//>     %c10 = arith.constant 10 : index
//>     %c8 = arith.constant 8 : index
//>     scf.for %arg2 = %c0 to %c8 step %c4 {
//>       memref.store %arg1, %arg0[%arg2] : memref<10xi32>
//>     }
//>     scf.for %arg2 = %c8 to %c10 step %c4 {
//>       memref.store %arg1, %arg0[%arg2] : memref<10xi32>
//>     }
//>     return
//>   }
//> }
