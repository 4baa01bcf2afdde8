// config: {style: elastic, streams: [x, y]}
func.func @some(%x: memref<8xi32>, %n: index, %y: memref<8xi32>) {
  affine.for %i = 0 to 6 {
    %a = affine.load %x[%i] : memref<8xi32> //~ error: `x` cannot be a stream: 6 of its 8 words are read; a loop over all of them, or a smaller memref, would fit
    affine.store %a, %y[%i + symbol(%n)] : memref<8xi32> //~ error: `y` cannot be a stream: its address depends on more than counters of loops
  }
  return
}
