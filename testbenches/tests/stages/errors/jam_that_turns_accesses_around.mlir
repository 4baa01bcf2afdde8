// config: {loops: {i: {jam: 4}}}
func.func @wave(%a: memref<9x9xi32>) {
  affine.for %i = 1 to 9 {
    affine.for %j = 0 to 8 {
      %x = affine.load %a[%i - 1, %j + 1] : memref<9x9xi32> //~ error: jamming `%i` by 4 would move this access in front of the one in line 6 that must come first, 1 iteration(s) before: no factor would fit
      affine.store %x, %a[%i, %j] : memref<9x9xi32>
    }
  }
  return
}
