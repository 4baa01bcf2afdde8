// Averages of three neighbours, from A to B and back in every step.
func.func @kernel_jacobi_1d(%A: memref<8xi32>, %B: memref<8xi32>) {
  %count = arith.constant 3 : i32
  affine.for %t = 0 to 2 {
    affine.for %i = 1 to 7 {
      %left = affine.load %A[%i - 1] : memref<8xi32>
      %here = affine.load %A[%i] : memref<8xi32>
      %right = affine.load %A[%i + 1] : memref<8xi32>
      %partial = arith.addi %left, %here : i32
      %sum = arith.addi %partial, %right : i32
      %average = arith.divsi %sum, %count : i32
      affine.store %average, %B[%i] : memref<8xi32>
    }
    affine.for %i = 1 to 7 {
      %left = affine.load %B[%i - 1] : memref<8xi32>
      %here = affine.load %B[%i] : memref<8xi32>
      %right = affine.load %B[%i + 1] : memref<8xi32>
      %partial = arith.addi %left, %here : i32
      %sum = arith.addi %partial, %right : i32
      %average = arith.divsi %sum, %count : i32
      affine.store %average, %A[%i] : memref<8xi32>
    }
  }
  return
}
