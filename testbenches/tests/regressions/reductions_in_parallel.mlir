// Reductions of a parallel loop, with two upper bounds in a dimension.
func.func @reductions_in_parallel(%a: memref<4x4xi32>, %n: index) -> (i32, i32) {
  %s, %m = affine.parallel (%i, %j) = (0, 0) to (4, min(4, symbol(%n))) step (2, 1) reduce ("addi", "maxs") -> (i32, i32) {
    %x = affine.load %a[%i, %j] : memref<4x4xi32>
    affine.yield %x, %x : i32, i32
  }
  return %s, %m : i32, i32
}
