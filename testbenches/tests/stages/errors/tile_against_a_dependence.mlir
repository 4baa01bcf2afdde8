// config: loops: {i: {tile: 2}, j: {tile: 2}}
func.func @wave(%A: memref<9x9xi32>) {
  affine.for %i = 1 to 9 { //~ error: `%i`, `%j` cannot be tiled together: the dependence of `%A` from the store at line 6 to the load at line 5 has the vector (1, -1), which has a negative element; what holds: `%i` tiled alone
    affine.for %j = 0 to 8 {
      %a = affine.load %A[%i - 1, %j + 1] : memref<9x9xi32>
      affine.store %a, %A[%i, %j] : memref<9x9xi32>
    }
  }
  return
}
