// C := alpha A A^T + beta C, on the lower triangle.
func.func @kernel_syrk(%alpha: i32, %beta: i32, %C: memref<30x30xi32>, %A: memref<30x20xi32>) {
  affine.for %i = 0 to 30 {
    affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
      %c = affine.load %C[%i, %j] : memref<30x30xi32>
      %scaled = arith.muli %c, %beta : i32
      affine.store %scaled, %C[%i, %j] : memref<30x30xi32>
    }
    affine.for %k = 0 to 20 {
      affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
        %a_ik = affine.load %A[%i, %k] : memref<30x20xi32>
        %scaled = arith.muli %alpha, %a_ik : i32
        %a_jk = affine.load %A[%j, %k] : memref<30x20xi32>
        %product = arith.muli %scaled, %a_jk : i32
        %old = affine.load %C[%i, %j] : memref<30x30xi32>
        %new = arith.addi %old, %product : i32
        affine.store %new, %C[%i, %j] : memref<30x30xi32>
      }
    }
  }
  return
}
