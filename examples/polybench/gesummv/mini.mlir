// y := alpha A x + beta B x.
func.func @kernel_gesummv(%alpha: i32, %beta: i32, %A: memref<30x30xi32>, %B: memref<30x30xi32>,
                          %tmp: memref<30xi32>, %x: memref<30xi32>, %y: memref<30xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 30 {
    affine.store %zero, %tmp[%i] : memref<30xi32>
    affine.store %zero, %y[%i] : memref<30xi32>
    affine.for %j = 0 to 30 {
      %a = affine.load %A[%i, %j] : memref<30x30xi32>
      %x_j = affine.load %x[%j] : memref<30xi32>
      %a_product = arith.muli %a, %x_j : i32
      %tmp_old = affine.load %tmp[%i] : memref<30xi32>
      %tmp_new = arith.addi %a_product, %tmp_old : i32
      affine.store %tmp_new, %tmp[%i] : memref<30xi32>
      %b = affine.load %B[%i, %j] : memref<30x30xi32>
      %b_product = arith.muli %b, %x_j : i32
      %y_old = affine.load %y[%i] : memref<30xi32>
      %y_new = arith.addi %b_product, %y_old : i32
      affine.store %y_new, %y[%i] : memref<30xi32>
    }
    %t = affine.load %tmp[%i] : memref<30xi32>
    %t_scaled = arith.muli %alpha, %t : i32
    %y_i = affine.load %y[%i] : memref<30xi32>
    %y_scaled = arith.muli %beta, %y_i : i32
    %sum = arith.addi %t_scaled, %y_scaled : i32
    affine.store %sum, %y[%i] : memref<30xi32>
  }
  return
}
