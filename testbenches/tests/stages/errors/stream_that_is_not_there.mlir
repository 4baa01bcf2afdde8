// config: {style: elastic, streams: [xs]}
func.func @copy(%x: memref<8xi32>, %y: memref<8xi32>) { //~ error: `streams` names an argument `xs` that is not there, or is in banks; did you mean `x`?
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xi32>
    affine.store %a, %y[%i] : memref<8xi32>
  }
  return
}
