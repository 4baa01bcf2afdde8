// y := A^T (A x).
func.func @kernel_atax(%A: memref<38x42xi32>, %x: memref<42xi32>, %y: memref<42xi32>, %tmp: memref<38xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 42 {
    affine.store %zero, %y[%i] : memref<42xi32>
  }
  affine.for %i = 0 to 38 {
    affine.store %zero, %tmp[%i] : memref<38xi32>
    affine.for %j = 0 to 42 {
      %old = affine.load %tmp[%i] : memref<38xi32>
      %a = affine.load %A[%i, %j] : memref<38x42xi32>
      %element = affine.load %x[%j] : memref<42xi32>
      %product = arith.muli %a, %element : i32
      %new = arith.addi %old, %product : i32
      affine.store %new, %tmp[%i] : memref<38xi32>
    }
    affine.for %j = 0 to 42 {
      %old = affine.load %y[%j] : memref<42xi32>
      %a = affine.load %A[%i, %j] : memref<38x42xi32>
      %t = affine.load %tmp[%i] : memref<38xi32>
      %product = arith.muli %a, %t : i32
      %new = arith.addi %old, %product : i32
      affine.store %new, %y[%j] : memref<42xi32>
    }
  }
  return
}
