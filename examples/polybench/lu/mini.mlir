// A = L U without pivoting, both written over A; the diagonal of L is one.
func.func @kernel_lu(%A: memref<40x40xi32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      affine.for %k = 0 to affine_map<(j) -> (j)>(%j) {
        %old = affine.load %A[%i, %j] : memref<40x40xi32>
        %a_ik = affine.load %A[%i, %k] : memref<40x40xi32>
        %a_kj = affine.load %A[%k, %j] : memref<40x40xi32>
        %product = arith.muli %a_ik, %a_kj : i32
        %new = arith.subi %old, %product : i32
        affine.store %new, %A[%i, %j] : memref<40x40xi32>
      }
      %a_ij = affine.load %A[%i, %j] : memref<40x40xi32>
      %a_jj = affine.load %A[%j, %j] : memref<40x40xi32>
      %quotient = arith.divsi %a_ij, %a_jj : i32
      affine.store %quotient, %A[%i, %j] : memref<40x40xi32>
    }
    affine.for %j = affine_map<(i) -> (i)>(%i) to 40 {
      affine.for %k = 0 to affine_map<(i) -> (i)>(%i) {
        %old = affine.load %A[%i, %j] : memref<40x40xi32>
        %a_ik = affine.load %A[%i, %k] : memref<40x40xi32>
        %a_kj = affine.load %A[%k, %j] : memref<40x40xi32>
        %product = arith.muli %a_ik, %a_kj : i32
        %new = arith.subi %old, %product : i32
        affine.store %new, %A[%i, %j] : memref<40x40xi32>
      }
    }
  }
  return
}
