// config: {style: elastic, streams: [x]}
func.func @columns(%x: memref<4x8xi32>, %y: memref<4x8xi32>) {
  affine.for %j = 0 to 8 {
    affine.for %i = 0 to 4 {
      %a = affine.load %x[%i, %j] : memref<4x8xi32> //~ error: `x` cannot be a stream: read number 1 (from 0) is of `x[1, 0]`, where `x[0, 1]` is next; a loop over all words in row-major order, each once, would fit
      affine.store %a, %y[%i, %j] : memref<4x8xi32>
    }
  }
  return
}
