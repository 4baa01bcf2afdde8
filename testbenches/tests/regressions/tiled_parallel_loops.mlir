// Directives on parallel loops reach the loop of each dimension.
func.func @tiled_parallel_loops(%m: memref<8xi32>, %g: memref<4x6xi32>) {
  %lb = arith.constant -3 : index
  %ub = arith.constant 5 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%i) = (%lb) to (%ub) step (%c1) {
    %j = arith.addi %i, %c3 : index
    %v = memref.load %m[%j] : memref<8xi32>
    %ii = arith.index_cast %i : index to i32
    %w = arith.addi %v, %ii : i32
    memref.store %w, %m[%j] : memref<8xi32>
    scf.reduce
  }
  affine.parallel (%r, %c) = (0, 0) to (4, 6) {
    %v = affine.load %g[%r, %c] : memref<4x6xi32>
    %w = arith.muli %v, %v : i32
    affine.store %w, %g[%r, %c] : memref<4x6xi32>
  }
  scf.forall (%p, %q) in (4, 6) {
    %v = memref.load %g[%p, %q] : memref<4x6xi32>
    %w = arith.addi %v, %v : i32
    memref.store %w, %g[%p, %q] : memref<4x6xi32>
  }
  return
}
