// Sizes as arguments, shapes known; zero and negative sizes run no iteration.
func.func @gemm(%n: i32, %m: i32, %p: i32, %C: memref<20x25xi32>, %A: memref<20x30xi32>, %B: memref<30x25xi32>) {
  %in = arith.index_cast %n : i32 to index
  %im = arith.index_cast %m : i32 to index
  %ip = arith.index_cast %p : i32 to index
  affine.for %i = 0 to %in {
    affine.for %j = 0 to %im {
      affine.for %k = 0 to %ip {
        %a = affine.load %A[%i, %k] : memref<20x30xi32>
        %b = affine.load %B[%k, %j] : memref<30x25xi32>
        %c = affine.load %C[%i, %j] : memref<20x25xi32>
        %q = arith.muli %a, %b : i32
        %s = arith.addi %c, %q : i32
        affine.store %s, %C[%i, %j] : memref<20x25xi32>
      }
    }
  }
  return
}
