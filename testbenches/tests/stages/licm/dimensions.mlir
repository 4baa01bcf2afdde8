// passes: licm

// The size of a dimension that the memory may not have is not asked for in front of a loop without iterations.
func.func @sizes(%m: memref<?x?xi32>, %n: memref<4xindex>, %x: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %x step %c1 {
    %known = memref.dim %m, %c1 : memref<?x?xi32>
    %unknown = memref.dim %m, %x : memref<?x?xi32>
    %sum = arith.addi %known, %unknown : index
    memref.store %sum, %n[%k] : memref<4xindex>
  }
  return
}

//> module {
//>   func.func @sizes(%arg0: memref<?x?xi32>, %arg1: memref<4xindex>, %arg2: index) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %dim = memref.dim %arg0, %c1 : memref<?x?xi32>
//>     scf.for %arg3 = %c0 to %arg2 step %c1 {
//>       %dim_0 = memref.dim %arg0, %arg2 : memref<?x?xi32>
//>       %0 = arith.addi %dim, %dim_0 : index
//>       memref.store %0, %arg1[%arg3] : memref<4xindex>
//>     }
//>     return
//>   }
//> }
