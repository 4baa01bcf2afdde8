// E := A B, F := C D, G := E F.
func.func @kernel_3mm(%E: memref<16x18xi32>, %A: memref<16x20xi32>, %B: memref<20x18xi32>,
                      %F: memref<18x22xi32>, %C: memref<18x24xi32>, %D: memref<24x22xi32>,
                      %G: memref<16x22xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 18 {
      affine.store %zero, %E[%i, %j] : memref<16x18xi32>
      affine.for %k = 0 to 20 {
        %a = affine.load %A[%i, %k] : memref<16x20xi32>
        %b = affine.load %B[%k, %j] : memref<20x18xi32>
        %product = arith.muli %a, %b : i32
        %old = affine.load %E[%i, %j] : memref<16x18xi32>
        %new = arith.addi %old, %product : i32
        affine.store %new, %E[%i, %j] : memref<16x18xi32>
      }
    }
  }
  affine.for %i = 0 to 18 {
    affine.for %j = 0 to 22 {
      affine.store %zero, %F[%i, %j] : memref<18x22xi32>
      affine.for %k = 0 to 24 {
        %c = affine.load %C[%i, %k] : memref<18x24xi32>
        %d = affine.load %D[%k, %j] : memref<24x22xi32>
        %product = arith.muli %c, %d : i32
        %old = affine.load %F[%i, %j] : memref<18x22xi32>
        %new = arith.addi %old, %product : i32
        affine.store %new, %F[%i, %j] : memref<18x22xi32>
      }
    }
  }
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 22 {
      affine.store %zero, %G[%i, %j] : memref<16x22xi32>
      affine.for %k = 0 to 18 {
        %e = affine.load %E[%i, %k] : memref<16x18xi32>
        %f = affine.load %F[%k, %j] : memref<18x22xi32>
        %product = arith.muli %e, %f : i32
        %old = affine.load %G[%i, %j] : memref<16x22xi32>
        %new = arith.addi %old, %product : i32
        affine.store %new, %G[%i, %j] : memref<16x22xi32>
      }
    }
  }
  return
}
