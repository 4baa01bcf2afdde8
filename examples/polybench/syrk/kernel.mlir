// C := alpha A A^T + beta C, on the lower triangle.
func.func @kernel_syrk(%alpha: i32, %beta: i32, %C: memref<12x12xi32>, %A: memref<12x8xi32>) {
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
      %c = affine.load %C[%i, %j] : memref<12x12xi32>
      %scaled = arith.muli %c, %beta : i32
      affine.store %scaled, %C[%i, %j] : memref<12x12xi32>
    }
    affine.for %k = 0 to 8 {
      affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
        %a_ik = affine.load %A[%i, %k] : memref<12x8xi32>
        %scaled = arith.muli %alpha, %a_ik : i32
        %a_jk = affine.load %A[%j, %k] : memref<12x8xi32>
        %product = arith.muli %scaled, %a_jk : i32
        %old = affine.load %C[%i, %j] : memref<12x12xi32>
        %new = arith.addi %old, %product : i32
        affine.store %new, %C[%i, %j] : memref<12x12xi32>
      }
    }
  }
  return
}
