// config: {style: elastic, streams: [n]}
func.func @fill(%n: i32, %y: memref<8xi32>) { //~ error: `n` is one number: it comes with `start`, and is no stream
  affine.for %i = 0 to 8 {
    affine.store %n, %y[%i] : memref<8xi32>
  }
  return
}
