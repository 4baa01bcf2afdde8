func.func @alone(%A: memref<10xi32>) {
  affine.for %i = 0 to 10 { //~ error: no loop follows `%i` in its block: remove the directive, or put it on the first of two loops
    %a = affine.load %A[%i] : memref<10xi32>
    affine.store %a, %A[%i] : memref<10xi32>
  } {sluice.fuse}
  return
}
