// A := A + u1 v1^T + u2 v2^T, x := x + beta A^T y + z, w := w + alpha A x.
func.func @kernel_gemver(%alpha: i32, %beta: i32, %A: memref<8x8xi32>, %u1: memref<8xi32>,
                         %v1: memref<8xi32>, %u2: memref<8xi32>, %v2: memref<8xi32>, %w: memref<8xi32>,
                         %x: memref<8xi32>, %y: memref<8xi32>, %z: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a = affine.load %A[%i, %j] : memref<8x8xi32>
      %u1_i = affine.load %u1[%i] : memref<8xi32>
      %v1_j = affine.load %v1[%j] : memref<8xi32>
      %product1 = arith.muli %u1_i, %v1_j : i32
      %sum1 = arith.addi %a, %product1 : i32
      %u2_i = affine.load %u2[%i] : memref<8xi32>
      %v2_j = affine.load %v2[%j] : memref<8xi32>
      %product2 = arith.muli %u2_i, %v2_j : i32
      %sum2 = arith.addi %sum1, %product2 : i32
      affine.store %sum2, %A[%i, %j] : memref<8x8xi32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %old = affine.load %x[%i] : memref<8xi32>
      %a = affine.load %A[%j, %i] : memref<8x8xi32>
      %scaled = arith.muli %beta, %a : i32
      %y_j = affine.load %y[%j] : memref<8xi32>
      %product = arith.muli %scaled, %y_j : i32
      %new = arith.addi %old, %product : i32
      affine.store %new, %x[%i] : memref<8xi32>
    }
  }
  affine.for %i = 0 to 8 {
    %x_i = affine.load %x[%i] : memref<8xi32>
    %z_i = affine.load %z[%i] : memref<8xi32>
    %sum = arith.addi %x_i, %z_i : i32
    affine.store %sum, %x[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %old = affine.load %w[%i] : memref<8xi32>
      %a = affine.load %A[%i, %j] : memref<8x8xi32>
      %scaled = arith.muli %alpha, %a : i32
      %x_j = affine.load %x[%j] : memref<8xi32>
      %product = arith.muli %scaled, %x_j : i32
      %new = arith.addi %old, %product : i32
      affine.store %new, %w[%i] : memref<8xi32>
    }
  }
  return
}
