// The choice of the first value and the product do not fit one cycle: a register is between.
func.func @kernel_durbin(%r: memref<8xi32>, %y: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %z = memref.alloca() : memref<8xi32>
  %r_first = affine.load %r[0] : memref<8xi32>
  %y_first = arith.subi %zero, %r_first : i32
  affine.store %y_first, %y[0] : memref<8xi32>
  %last:2 = affine.for %k = 1 to 8 iter_args(%alpha = %y_first, %beta = %one) -> (i32, i32) {
    %square = arith.muli %alpha, %alpha : i32
    %factor = arith.subi %one, %square : i32
    %beta_k = arith.muli %factor, %beta : i32
    %sum = affine.for %i = 0 to affine_map<(k) -> (k)>(%k) iter_args(%partial = %zero) -> (i32) {
      %r_i = affine.load %r[%k - %i - 1] : memref<8xi32>
      %y_i = affine.load %y[%i] : memref<8xi32>
      %product = arith.muli %r_i, %y_i : i32
      %next = arith.addi %partial, %product : i32
      affine.yield %next : i32
    }
    %r_k = affine.load %r[%k] : memref<8xi32>
    %total = arith.addi %r_k, %sum : i32
    %negative = arith.subi %zero, %total : i32
    %alpha_k = arith.xori %negative, %beta_k : i32
    affine.for %i = 0 to affine_map<(k) -> (k)>(%k) {
      %y_i = affine.load %y[%i] : memref<8xi32>
      %y_mirrored = affine.load %y[%k - %i - 1] : memref<8xi32>
      %product = arith.muli %alpha_k, %y_mirrored : i32
      %new = arith.addi %y_i, %product : i32
      affine.store %new, %z[%i] : memref<8xi32>
    }
    affine.for %i = 0 to affine_map<(k) -> (k)>(%k) {
      %z_i = affine.load %z[%i] : memref<8xi32>
      affine.store %z_i, %y[%i] : memref<8xi32>
    }
    affine.store %alpha_k, %y[%k] : memref<8xi32>
    affine.yield %alpha_k, %beta_k : i32, i32
  }
  return
}
