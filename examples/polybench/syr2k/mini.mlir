// C := alpha (A B^T + B A^T) + beta C, on the lower triangle.
func.func @kernel_syr2k(%alpha: i32, %beta: i32, %C: memref<30x30xi32>, %A: memref<30x20xi32>,
                        %B: memref<30x20xi32>) {
  affine.for %i = 0 to 30 {
    affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
      %c = affine.load %C[%i, %j] : memref<30x30xi32>
      %scaled = arith.muli %c, %beta : i32
      affine.store %scaled, %C[%i, %j] : memref<30x30xi32>
    }
    affine.for %k = 0 to 20 {
      affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
        %a_jk = affine.load %A[%j, %k] : memref<30x20xi32>
        %a_scaled = arith.muli %a_jk, %alpha : i32
        %b_ik = affine.load %B[%i, %k] : memref<30x20xi32>
        %first = arith.muli %a_scaled, %b_ik : i32
        %b_jk = affine.load %B[%j, %k] : memref<30x20xi32>
        %b_scaled = arith.muli %b_jk, %alpha : i32
        %a_ik = affine.load %A[%i, %k] : memref<30x20xi32>
        %second = arith.muli %b_scaled, %a_ik : i32
        %both = arith.addi %first, %second : i32
        %old = affine.load %C[%i, %j] : memref<30x30xi32>
        %new = arith.addi %old, %both : i32
        affine.store %new, %C[%i, %j] : memref<30x30xi32>
      }
    }
  }
  return
}
