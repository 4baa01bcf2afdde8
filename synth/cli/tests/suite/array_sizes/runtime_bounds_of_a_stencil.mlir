// Two nests in a loop: time and size are arguments.
func.func @jacobi(%t: i32, %n: i32, %A: memref<40x40xi32>, %B: memref<40x40xi32>) {
  %it = arith.index_cast %t : i32 to index
  %in = arith.index_cast %n : i32 to index
  affine.for %s = 0 to %it {
    affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%in] {
      affine.for %j = 1 to affine_map<()[n] -> (n - 1)>()[%in] {
        %c = affine.load %A[%i, %j] : memref<40x40xi32>
        %w = affine.load %A[%i, %j - 1] : memref<40x40xi32>
        %e = affine.load %A[%i, %j + 1] : memref<40x40xi32>
        %u = affine.load %A[%i - 1, %j] : memref<40x40xi32>
        %d = affine.load %A[%i + 1, %j] : memref<40x40xi32>
        %1 = arith.addi %c, %w : i32
        %2 = arith.addi %1, %e : i32
        %3 = arith.addi %2, %u : i32
        %4 = arith.addi %3, %d : i32
        affine.store %4, %B[%i, %j] : memref<40x40xi32>
      }
    }
    affine.for %i = 1 to affine_map<()[n] -> (n - 1)>()[%in] {
      affine.for %j = 1 to affine_map<()[n] -> (n - 1)>()[%in] {
        %c = affine.load %B[%i, %j] : memref<40x40xi32>
        affine.store %c, %A[%i, %j] : memref<40x40xi32>
      }
    }
  }
  return
}
