// Adds two vectors element by element: sum[i] = a[i] + b[i].
func.func @vector_add(%a: memref<64xi32>, %b: memref<64xi32>, %sum: memref<64xi32>) {
  affine.for %i = 0 to 64 {
    %left = affine.load %a[%i] : memref<64xi32>
    %right = affine.load %b[%i] : memref<64xi32>
    %total = arith.addi %left, %right : i32
    affine.store %total, %sum[%i] : memref<64xi32>
  }
  return
}
