func.func @wave(%A: memref<9x9xi32>) {
  affine.for %i = 1 to 9 { //~ error: the order `%j`, `%i` does not hold: the dependence of `%A` from the store at line 5 to the load at line 4 has the vector (1, -1), which would become (>, <); only the order of the source does
    affine.for %j = 0 to 8 {
      %a = affine.load %A[%i - 1, %j + 1] : memref<9x9xi32>
      affine.store %a, %A[%i, %j] : memref<9x9xi32>
    }
  } {sluice.interchange = ["j", "i"]}
  return
}
