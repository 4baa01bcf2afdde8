// Lengths of the shortest paths between all pairs of vertices.
func.func @kernel_floyd_warshall(%path: memref<8x8xi32>) {
  affine.for %k = 0 to 8 {
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 8 {
        %direct = affine.load %path[%i, %j] : memref<8x8xi32>
        %there = affine.load %path[%i, %k] : memref<8x8xi32>
        %onwards = affine.load %path[%k, %j] : memref<8x8xi32>
        %by_way = arith.addi %there, %onwards : i32
        %shorter = arith.minsi %direct, %by_way : i32
        affine.store %shorter, %path[%i, %j] : memref<8x8xi32>
      }
    }
  }
  return
}
