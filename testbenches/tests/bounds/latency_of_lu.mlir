// latency: 11935622
// A = L U without pivoting, both written over A; the diagonal of L is one.
func.func @kernel_lu(%A: memref<256x256xi32>) {
  affine.for %i = 0 to 256 {
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      affine.for %k = 0 to affine_map<(j) -> (j)>(%j) {
        %old = affine.load %A[%i, %j] : memref<256x256xi32>
        %a_ik = affine.load %A[%i, %k] : memref<256x256xi32>
        %a_kj = affine.load %A[%k, %j] : memref<256x256xi32>
        %product = arith.muli %a_ik, %a_kj : i32
        %new = arith.subi %old, %product : i32
        affine.store %new, %A[%i, %j] : memref<256x256xi32>
      }
      %a_ij = affine.load %A[%i, %j] : memref<256x256xi32>
      %a_jj = affine.load %A[%j, %j] : memref<256x256xi32>
      %quotient = arith.divsi %a_ij, %a_jj : i32
      affine.store %quotient, %A[%i, %j] : memref<256x256xi32>
    }
    affine.for %j = affine_map<(i) -> (i)>(%i) to 256 {
      affine.for %k = 0 to affine_map<(i) -> (i)>(%i) {
        %old = affine.load %A[%i, %j] : memref<256x256xi32>
        %a_ik = affine.load %A[%i, %k] : memref<256x256xi32>
        %a_kj = affine.load %A[%k, %j] : memref<256x256xi32>
        %product = arith.muli %a_ik, %a_kj : i32
        %new = arith.subi %old, %product : i32
        affine.store %new, %A[%i, %j] : memref<256x256xi32>
      }
    }
  }
  return
}
