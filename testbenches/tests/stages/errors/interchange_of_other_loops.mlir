// config: loops: {i: {interchange: [k, i]}}
func.func @names(%A: memref<8x8xi32>) {
  affine.for %i = 0 to 8 { //~ error: no further loop of the order is directly in `%i`; there is `%j`
    affine.for %j = 0 to 8 {
      %a = affine.load %A[%i, %j] : memref<8x8xi32>
      affine.store %a, %A[%i, %j] : memref<8x8xi32>
    }
  }
  return
}
