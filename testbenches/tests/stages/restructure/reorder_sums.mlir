// passes: affine-to-scf, restructure, canonicalise
// Sums that are carried stay in the cell they are stored to; the diagonal runs with what is left of it.
func.func @cholesky(%A: memref<8x8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      %start = affine.load %A[%i, %j] : memref<8x8xi32>
      %sum = affine.for %k = 0 to affine_map<(j) -> (j)>(%j) iter_args(%w = %start) -> (i32) {
        %a_ik = affine.load %A[%i, %k] : memref<8x8xi32>
        %a_jk = affine.load %A[%j, %k] : memref<8x8xi32>
        %product = arith.muli %a_ik, %a_jk : i32
        %new = arith.subi %w, %product : i32
        affine.yield %new : i32
      }
      %a_jj = affine.load %A[%j, %j] : memref<8x8xi32>
      %quotient = arith.divsi %sum, %a_jj : i32
      affine.store %quotient, %A[%i, %j] : memref<8x8xi32>
    }
    affine.for %k = 0 to affine_map<(i) -> (i)>(%i) {
      %old = affine.load %A[%i, %i] : memref<8x8xi32>
      %a_ik = affine.load %A[%i, %k] : memref<8x8xi32>
      %square = arith.muli %a_ik, %a_ik : i32
      %new = arith.subi %old, %square : i32
      affine.store %new, %A[%i, %i] : memref<8x8xi32>
    }
  } {sluice.reorder = ["k 1 i j", "j i", "="]}
  return
}

//> module {
//>   func.func @cholesky(%arg0: memref<8x8xi32>) {
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
//>         %2 = arith.addi %arg2, %c1 : index
//>         %3 = memref.load %arg0[%arg2, %arg1] : memref<8x8xi32>
//>         scf.for %arg3 = %0 to %2 step %c1 {
//>           %4 = memref.load %arg0[%arg2, %arg3] : memref<8x8xi32>
//>           %5 = memref.load %arg0[%arg3, %arg1] : memref<8x8xi32>
//>           %6 = arith.muli %3, %5 : i32
//>           %7 = arith.subi %4, %6 : i32
//>           memref.store %7, %arg0[%arg2, %arg3] : memref<8x8xi32>
//>         }
//>       }
//>     }
//>     return
//>   }
//> }
