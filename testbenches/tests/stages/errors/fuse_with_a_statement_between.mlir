func.func @between(%A: memref<10xi32>, %x: i32) {
  affine.for %i = 0 to 10 { //~ error: the store at line 6 is between `%i` and the loop `%j` at line 7: move it, or remove the directive
    %a = affine.load %A[%i] : memref<10xi32>
    affine.store %a, %A[%i] : memref<10xi32>
  } {sluice.fuse}
  affine.store %x, %A[0] : memref<10xi32>
  affine.for %j = 0 to 10 {
    %a = affine.load %A[%j] : memref<10xi32>
    affine.store %a, %A[%j] : memref<10xi32>
  }
  return
}
