// config: {loops: {i: {jam: 4}}}
func.func @wave(%a: memref<10x9xi32>) {
  affine.for %i = 2 to 10 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i - 2, %j + 1] : memref<10x9xi32> //~ error: 2 iteration(s) before: a factor up to 2 would fit
      affine.store %x, %a[%i, %j] : memref<10x9xi32>
    }
  }
  return
}
