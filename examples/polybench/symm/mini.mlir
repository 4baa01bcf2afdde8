// C := alpha A B + beta C, with A symmetric and only its lower triangle read.
func.func @kernel_symm(%alpha: i32, %beta: i32, %C: memref<20x30xi32>, %A: memref<20x20xi32>,
                       %B: memref<20x30xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 20 {
    affine.for %j = 0 to 30 {
      %sum = affine.for %k = 0 to affine_map<(i) -> (i)>(%i) iter_args(%partial = %zero) -> (i32) {
        %b_ij = affine.load %B[%i, %j] : memref<20x30xi32>
        %scaled = arith.muli %alpha, %b_ij : i32
        %a = affine.load %A[%i, %k] : memref<20x20xi32>
        %product = arith.muli %scaled, %a : i32
        %old = affine.load %C[%k, %j] : memref<20x30xi32>
        %new = arith.addi %old, %product : i32
        affine.store %new, %C[%k, %j] : memref<20x30xi32>
        %b_kj = affine.load %B[%k, %j] : memref<20x30xi32>
        %above = arith.muli %b_kj, %a : i32
        %next = arith.addi %partial, %above : i32
        affine.yield %next : i32
      }
      %c = affine.load %C[%i, %j] : memref<20x30xi32>
      %c_scaled = arith.muli %beta, %c : i32
      %b = affine.load %B[%i, %j] : memref<20x30xi32>
      %b_scaled = arith.muli %alpha, %b : i32
      %diagonal = affine.load %A[%i, %i] : memref<20x20xi32>
      %on_diagonal = arith.muli %b_scaled, %diagonal : i32
      %partial_result = arith.addi %c_scaled, %on_diagonal : i32
      %sum_scaled = arith.muli %alpha, %sum : i32
      %result = arith.addi %partial_result, %sum_scaled : i32
      affine.store %result, %C[%i, %j] : memref<20x30xi32>
    }
  }
  return
}
