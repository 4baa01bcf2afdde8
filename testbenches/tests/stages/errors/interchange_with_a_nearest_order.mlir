// config: loops: {i: {interchange: [k, j, i]}}
func.func @skewed(%A: memref<9x9x9xi32>) {
  affine.for %i = 1 to 9 { //~ error: the order `%k`, `%j`, `%i` does not hold: the dependence of `%A` from the store at line 7 to the load at line 6 has the vector (1, 0, -1), which would become (>, =, <); the nearest that does: `%i`, `%k`, `%j`
    affine.for %j = 0 to 9 {
      affine.for %k = 0 to 8 {
        %a = affine.load %A[%i - 1, %j, %k + 1] : memref<9x9x9xi32>
        affine.store %a, %A[%i, %j, %k] : memref<9x9x9xi32>
      }
    }
  }
  return
}
