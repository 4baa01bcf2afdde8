// config: {style: elastic, streams: [x]}
func.func @twice(%x: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xi32>
    %b = arith.addi %a, %a : i32
    affine.store %b, %x[%i] : memref<8xi32> //~ error: `x` cannot be a stream: it is both read and written, or one cell of it again and again; reading one argument and writing another one, cell by cell, would fit
  }
  return
}
