// The mean of two arrays, with names in é.
func.func @mean(%A: memref<16xi32>, %B: memref<16xi32>) {
  %one = arith.constant 1 : i32
  affine.for %row = 0 to 16 {
    %a = affine.load %A[%row] : memref<16xi32>
    %b = affine.load %B[%row] : memref<16xi32>
    %sum = arith.addi %a, %b : i32
    %half = arith.shrsi %sum, %one : i32
    affine.store %half, %B[%row] : memref<16xi32>
  }
  return
}
