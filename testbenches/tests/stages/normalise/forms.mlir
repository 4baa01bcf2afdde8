// passes: normalise

// Copies are loops, sizes are constants, regions that run once are no regions, memories are made at the entry.
func.func @forms(%a: memref<4xi8>, %b: memref<4xi8>) -> index {
  memref.copy %a, %b : memref<4xi8> to memref<4xi8>
  %zero = arith.constant 0 : index
  %size = memref.dim %a, %zero : memref<4xi8>
  %one = scf.execute_region -> index {
    %local = memref.alloc() : memref<2xi8>
    memref.dealloc %local : memref<2xi8>
    %c1 = arith.constant 1 : index
    scf.yield %c1 : index
  }
  %sum = arith.addi %size, %one : index
  return %sum : index
}

//> module {
//>   func.func @forms(%arg0: memref<4xi8>, %arg1: memref<4xi8>) -> index {
//>     %alloca = memref.alloca() : memref<2xi8>
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       %1 = memref.load %arg0[%arg2] : memref<4xi8>
//>       memref.store %1, %arg1[%arg2] : memref<4xi8>
//>     }
//>     %c0_0 = arith.constant 0 : index
//>     %c4_1 = arith.constant 4 : index
//>     %c1_2 = arith.constant 1 : index
//>     %0 = arith.addi %c4_1, %c1_2 : index
//>     return %0 : index
//>   }
//> }
