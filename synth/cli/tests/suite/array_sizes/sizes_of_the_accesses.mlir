// All accesses reach known indices, so the open dimensions are as large as these need.
func.func @window(%x: memref<?xi32>, %y: memref<?x?xi32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = affine_map<(i) -> (i)>(%i) to 6 {
      %a = affine.load %x[%i + %j] : memref<?xi32>
      affine.store %a, %y[%i, %j] : memref<?x?xi32>
    }
  }
  return
}
