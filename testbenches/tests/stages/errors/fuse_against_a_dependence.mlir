func.func @later(%A: memref<10xi32>, %B: memref<10xi32>, %C: memref<10xi32>) {
  affine.for %i = 0 to 10 { //~ error: `%i` and `%j` cannot be fused: the dependence of `%B` from the store at line 4 to the load at line 7 would run backwards, its vector is (-2); it would be legal if `%j` ran 2 after `%i`, with its bounds and subscripts moved by as much
    %a = affine.load %A[%i] : memref<10xi32>
    affine.store %a, %B[%i] : memref<10xi32>
  } {sluice.fuse}
  affine.for %j = 0 to 8 {
    %b = affine.load %B[%j + 2] : memref<10xi32>
    affine.store %b, %C[%j] : memref<10xi32>
  }
  return
}
