// A[r][q][p] := sum over s of A[r][q][s] C4[s][p].
func.func @kernel_doitgen(%A: memref<8x8x8xi32>, %C4: memref<8x8xi32>, %sum: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %r = 0 to 8 {
    affine.for %q = 0 to 8 {
      affine.for %p = 0 to 8 {
        affine.store %zero, %sum[%p] : memref<8xi32>
        affine.for %s = 0 to 8 {
          %old = affine.load %sum[%p] : memref<8xi32>
          %a = affine.load %A[%r, %q, %s] : memref<8x8x8xi32>
          %c = affine.load %C4[%s, %p] : memref<8x8xi32>
          %product = arith.muli %a, %c : i32
          %new = arith.addi %old, %product : i32
          affine.store %new, %sum[%p] : memref<8xi32>
        }
      }
      affine.for %p = 0 to 8 {
        %total = affine.load %sum[%p] : memref<8xi32>
        affine.store %total, %A[%r, %q, %p] : memref<8x8x8xi32>
      }
    }
  }
  return
}
