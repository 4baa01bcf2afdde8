func.func @in_the_way(%A: memref<8x8xi32>, %x: memref<9xi32>) {
  affine.for %i = 0 to 8 { //~ error: the load at line 3 is in the way between `%i` and `%j`, and cannot have a loop of its own: the dependence of `%x` from the store at line 7 to the load at line 3 has the vector (1)
    %x0 = affine.load %x[%i] : memref<9xi32>
    affine.store %x0, %A[0, %i] : memref<8x8xi32>
    affine.for %j = 0 to 8 {
      %a = affine.load %A[0, %i] : memref<8x8xi32>
      affine.store %a, %x[%i + 1] : memref<9xi32>
    }
  } {sluice.interchange = ["j", "i"]}
  return
}
