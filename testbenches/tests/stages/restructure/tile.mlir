// passes: affine-to-scf, restructure, canonicalise
// Tiles of 4 divide 8, tiles of 3 do not; a triangle has tiles that are cut off.
func.func @tiles(%A: memref<8x8xi32>, %B: memref<8x8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a = affine.load %A[%i, %j] : memref<8x8xi32>
      affine.store %a, %B[%j, %i] : memref<8x8xi32>
    } {sluice.tile = 3}
  } {sluice.tile = 4}
  affine.for %i = 0 to 8 {
    affine.for %j = affine_map<(i) -> (i)>(%i) to 8 {
      %a = affine.load %A[%i, %j] : memref<8x8xi32>
      affine.store %a, %B[%i, %j] : memref<8x8xi32>
    } {sluice.tile = 2}
  } {sluice.tile = 3}
  return
}

//> module {
//>   func.func @tiles(%arg0: memref<8x8xi32>, %arg1: memref<8x8xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c8 = arith.constant 8 : index
//>     %c4 = arith.constant 4 : index
//>     scf.for %arg2 = %c0 to %c8 step %c4 {
//>       %c3_0 = arith.constant 3 : index
//>       scf.for %arg3 = %c0 to %c8 step %c3_0 {
//>         %0 = arith.addi %arg2, %c4 : index
//>         %c1 = arith.constant 1 : index
//>         scf.for %arg4 = %arg2 to %0 step %c1 {
//>           %1 = arith.addi %arg3, %c3_0 : index
//>           %2 = arith.minsi %1, %c8 : index
//>           scf.for %arg5 = %arg3 to %2 step %c1 {
//>             %3 = memref.load %arg0[%arg4, %arg5] : memref<8x8xi32>
//>             memref.store %3, %arg1[%arg5, %arg4] : memref<8x8xi32>
//>           }
//>         }
//>       }
//>     }
//>     %c3 = arith.constant 3 : index
//>     scf.for %arg2 = %c0 to %c8 step %c3 {
//>       %c2 = arith.constant 2 : index
//>       scf.for %arg3 = %arg2 to %c8 step %c2 {
//>         %0 = arith.addi %arg2, %c3 : index
//>         %1 = arith.minsi %0, %c8 : index
//>         %c1 = arith.constant 1 : index
//>         scf.for %arg4 = %arg2 to %1 step %c1 {
//>           %2 = arith.maxsi %arg4, %arg3 : index
//>           %3 = arith.addi %arg3, %c2 : index
//>           %4 = arith.minsi %3, %c8 : index
//>           scf.for %arg5 = %2 to %4 step %c1 {
//>             %5 = memref.load %arg0[%arg4, %arg5] : memref<8x8xi32>
//>             memref.store %5, %arg1[%arg4, %arg5] : memref<8x8xi32>
//>           }
//>         }
//>       }
//>     }
//>     return
//>   }
//> }
