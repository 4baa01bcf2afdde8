// Sizes as arguments, the outer dimension of each array open, as C front ends write it.
func.func @gemm(%n: i32, %m: i32, %p: i32, %C: memref<?x25xi32>, %A: memref<?x30xi32>, %B: memref<?x25xi32>) {
  %in = arith.index_cast %n : i32 to index
  %im = arith.index_cast %m : i32 to index
  %ip = arith.index_cast %p : i32 to index
  affine.for %i = 0 to %in {
    affine.for %j = 0 to %im {
      affine.for %k = 0 to %ip {
        %a = affine.load %A[%i, %k] : memref<?x30xi32>
        %b = affine.load %B[%k, %j] : memref<?x25xi32>
        %c = affine.load %C[%i, %j] : memref<?x25xi32>
        %q = arith.muli %a, %b : i32
        %s = arith.addi %c, %q : i32
        affine.store %s, %C[%i, %j] : memref<?x25xi32>
      }
    }
  }
  return
}
