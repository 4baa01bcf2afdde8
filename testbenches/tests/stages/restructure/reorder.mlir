// passes: affine-to-scf, restructure, canonicalise
// LU factorisation: both halves of the sums run as one, outside in; divisions stand in a loop of their own.
func.func @lu(%A: memref<8x8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      affine.for %k = 0 to affine_map<(j) -> (j)>(%j) {
        %old = affine.load %A[%i, %j] : memref<8x8xi32>
        %a_ik = affine.load %A[%i, %k] : memref<8x8xi32>
        %a_kj = affine.load %A[%k, %j] : memref<8x8xi32>
        %product = arith.muli %a_ik, %a_kj : i32
        %new = arith.subi %old, %product : i32
        affine.store %new, %A[%i, %j] : memref<8x8xi32>
      }
      %a_ij = affine.load %A[%i, %j] : memref<8x8xi32>
      %a_jj = affine.load %A[%j, %j] : memref<8x8xi32>
      %quotient = arith.divsi %a_ij, %a_jj : i32
      affine.store %quotient, %A[%i, %j] : memref<8x8xi32>
    }
    affine.for %j = affine_map<(i) -> (i)>(%i) to 8 {
      affine.for %k = 0 to affine_map<(i) -> (i)>(%i) {
        %old = affine.load %A[%i, %j] : memref<8x8xi32>
        %a_ik = affine.load %A[%i, %k] : memref<8x8xi32>
        %a_kj = affine.load %A[%k, %j] : memref<8x8xi32>
        %product = arith.muli %a_ik, %a_kj : i32
        %new = arith.subi %old, %product : i32
        affine.store %new, %A[%i, %j] : memref<8x8xi32>
      }
    }
  } {sluice.reorder = ["k 1 i j", "j i", "="]}
  return
}

//> module {
//>   func.func @lu(%arg0: memref<8x8xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c7 = arith.constant 7 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg1 = %c0 to %c7 step %c1 {
//>       %0 = arith.addi %arg1, %c1 : index
//>       %c8 = arith.constant 8 : index
//>       %1 = memref.load %arg0[%arg1, %arg1] : memref<8x8xi32>
//>       scf.for %arg2 = %0 to %c8 step %c1 {
//>         %2 = memref.load %arg0[%arg2, %arg1] : memref<8x8xi32>
//>         %3 = arith.divsi %2, %1 : i32
//>         memref.store %3, %arg0[%arg2, %arg1] : memref<8x8xi32>
//>       }
//>       scf.for %arg2 = %0 to %c8 step %c1 {
//>         %2 = memref.load %arg0[%arg2, %arg1] : memref<8x8xi32>
//>         scf.for %arg3 = %0 to %c8 step %c1 {
//>           %3 = memref.load %arg0[%arg2, %arg3] : memref<8x8xi32>
//>           %4 = memref.load %arg0[%arg1, %arg3] : memref<8x8xi32>
//>           %5 = arith.muli %2, %4 : i32
//>           %6 = arith.subi %3, %5 : i32
//>           memref.store %6, %arg0[%arg2, %arg3] : memref<8x8xi32>
//>         }
//>       }
//>     }
//>     return
//>   }
//> }
