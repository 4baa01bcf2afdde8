// The inner steps of elimination with given factors: multiples of row j are taken from the rows below it.
func.func @gaussian_20(%factors: memref<20xi32>, %A: memref<20x20xi32>) {
  affine.for %j = 1 to 19 {
    affine.for %i = affine_map<(j) -> (j + 1)>(%j) to 19 {
      affine.for %k = 1 to 20 {
        %old = affine.load %A[%i, %k] : memref<20x20xi32>
        %factor = affine.load %factors[%j] : memref<20xi32>
        %a = affine.load %A[%j, %k] : memref<20x20xi32>
        %product = arith.muli %factor, %a : i32
        %new = arith.subi %old, %product : i32
        affine.store %new, %A[%i, %k] : memref<20x20xi32>
      }
    }
  }
  return
}
