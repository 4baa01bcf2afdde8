// s := A^T r, q := A p.
func.func @kernel_bicg(%A: memref<42x38xi32>, %s: memref<38xi32>, %q: memref<42xi32>, %p: memref<38xi32>,
                       %r: memref<42xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 38 {
    affine.store %zero, %s[%i] : memref<38xi32>
  }
  affine.for %i = 0 to 42 {
    affine.store %zero, %q[%i] : memref<42xi32>
    affine.for %j = 0 to 38 {
      %s_old = affine.load %s[%j] : memref<38xi32>
      %r_i = affine.load %r[%i] : memref<42xi32>
      %a = affine.load %A[%i, %j] : memref<42x38xi32>
      %s_product = arith.muli %r_i, %a : i32
      %s_new = arith.addi %s_old, %s_product : i32
      affine.store %s_new, %s[%j] : memref<38xi32>
      %q_old = affine.load %q[%i] : memref<42xi32>
      %p_j = affine.load %p[%j] : memref<38xi32>
      %q_product = arith.muli %a, %p_j : i32
      %q_new = arith.addi %q_old, %q_product : i32
      affine.store %q_new, %q[%i] : memref<42xi32>
    }
  }
  return
}
