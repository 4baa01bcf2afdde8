// passes: scf-for-loop-range-folding

// The offset goes into the bounds.
func.func @kernel(%k: index, %m: memref<20xi32>, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %j = arith.addi %i, %k : index
    memref.store %v, %m[%j] : memref<20xi32>
  }
  return
}

//> module {
//>   func.func @kernel(%arg0: index, %arg1: memref<20xi32>, %arg2: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     %0 = arith.addi %c0, %arg0 : index
//>     %1 = arith.addi %c8, %arg0 : index
//>     scf.for %arg3 = %0 to %1 step %c1 {
//>       memref.store %arg2, %arg1[%arg3] : memref<20xi32>
//>     }
//>     return
//>   }
//> }
