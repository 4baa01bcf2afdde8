// passes: directives, affine-to-scf, restructure, canonicalise
// config: loops: {i: {interchange: [k, i, j]}}
// The store that sets a cell to zero has a nest of its own first.
func.func @product(%A: memref<4x6xi32>, %B: memref<6x5xi32>, %C: memref<4x5xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      affine.store %zero, %C[%i, %j] : memref<4x5xi32>
      affine.for %k = 0 to 6 {
        %a = affine.load %A[%i, %k] : memref<4x6xi32>
        %b = affine.load %B[%k, %j] : memref<6x5xi32>
        %p = arith.muli %a, %b : i32
        %old = affine.load %C[%i, %j] : memref<4x5xi32>
        %new = arith.addi %old, %p : i32
        affine.store %new, %C[%i, %j] : memref<4x5xi32>
      }
    }
  }
  return
}

//> module {
//>   func.func @product(%arg0: memref<4x6xi32>, %arg1: memref<6x5xi32>, %arg2: memref<4x5xi32>) {
//>     %c0_i32 = arith.constant 0 : i32
//>     %c0 = arith.constant 0 : index
//>     %c4 = arith.constant 4 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg3 = %c0 to %c4 step %c1 {
//>       %c5 = arith.constant 5 : index
//>       scf.for %arg4 = %c0 to %c5 step %c1 {
//>         memref.store %c0_i32, %arg2[%arg3, %arg4] : memref<4x5xi32>
//>       }
//>     }
//>     %c6 = arith.constant 6 : index
//>     scf.for %arg3 = %c0 to %c6 step %c1 {
//>       scf.for %arg4 = %c0 to %c4 step %c1 {
//>         %c5 = arith.constant 5 : index
//>         scf.for %arg5 = %c0 to %c5 step %c1 {
//>           %0 = memref.load %arg0[%arg4, %arg3] : memref<4x6xi32>
//>           %1 = memref.load %arg1[%arg3, %arg5] : memref<6x5xi32>
//>           %2 = arith.muli %0, %1 : i32
//>           %3 = memref.load %arg2[%arg4, %arg5] : memref<4x5xi32>
//>           %4 = arith.addi %3, %2 : i32
//>           memref.store %4, %arg2[%arg4, %arg5] : memref<4x5xi32>
//>         }
//>       }
//>     }
//>     return
//>   }
//> }
