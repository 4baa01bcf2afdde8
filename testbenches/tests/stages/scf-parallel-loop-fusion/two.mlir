// passes: scf-parallel-loop-fusion

// The second loop reads what the first one writes in the same iteration.
func.func @kernel(%a: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %m = memref.alloca() : memref<8xi32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = memref.load %a[%i] : memref<8xi32>
    memref.store %x, %m[%i] : memref<8xi32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = memref.load %m[%i] : memref<8xi32>
    %y = arith.addi %x, %x : i32
    memref.store %y, %a[%i] : memref<8xi32>
    scf.reduce
  }
  return
}

//> module {
//>   func.func @kernel(%arg0: memref<8xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     %alloca = memref.alloca() : memref<8xi32>
//>     scf.parallel (%arg1) = (%c0) to (%c8) step (%c1) {
//>       %0 = memref.load %arg0[%arg1] : memref<8xi32>
//>       memref.store %0, %alloca[%arg1] : memref<8xi32>
//>       %1 = memref.load %alloca[%arg1] : memref<8xi32>
//>       %2 = arith.addi %1, %1 : i32
//>       memref.store %2, %arg0[%arg1] : memref<8xi32>
//>       scf.reduce
//>     }
//>     return
//>   }
//> }
