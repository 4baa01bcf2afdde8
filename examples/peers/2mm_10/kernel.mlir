// D := alpha A B C + beta D, by way of tmp = alpha A B.
func.func @matrix_products_10(%alpha: i32, %beta: i32, %tmp: memref<10x10xi32>, %A: memref<10x10xi32>,
                              %B: memref<10x10xi32>, %C: memref<10x10xi32>, %D: memref<10x10xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 10 {
      affine.store %zero, %tmp[%i, %j] : memref<10x10xi32>
      affine.for %k = 0 to 10 {
        %a = affine.load %A[%i, %k] : memref<10x10xi32>
        %scaled = arith.muli %alpha, %a : i32
        %b = affine.load %B[%k, %j] : memref<10x10xi32>
        %product = arith.muli %scaled, %b : i32
        %old = affine.load %tmp[%i, %j] : memref<10x10xi32>
        %new = arith.addi %old, %product : i32
        affine.store %new, %tmp[%i, %j] : memref<10x10xi32>
      }
    }
  }
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 10 {
      %d = affine.load %D[%i, %j] : memref<10x10xi32>
      %scaled = arith.muli %d, %beta : i32
      affine.store %scaled, %D[%i, %j] : memref<10x10xi32>
      affine.for %k = 0 to 10 {
        %t = affine.load %tmp[%i, %k] : memref<10x10xi32>
        %c = affine.load %C[%k, %j] : memref<10x10xi32>
        %product = arith.muli %t, %c : i32
        %old = affine.load %D[%i, %j] : memref<10x10xi32>
        %new = arith.addi %old, %product : i32
        affine.store %new, %D[%i, %j] : memref<10x10xi32>
      }
    }
  }
  return
}
