// config: {style: elastic, streams: [xs, n]}
//~ error without a place: `streams` names an argument `xs` that is not there, or is in banks; did you mean `x`?
//~ error without a place: `n` is one number: it comes with `start`, and is no stream
func.func @copy(%x: memref<8xi32>, %n: i32, %y: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xi32>
    affine.store %a, %y[%i] : memref<8xi32>
  }
  return
}
