// config: {loops: {i: {speculate: 2}}}
func.func @parallel(%m: memref<8xi32>, %x: i32) {
  affine.parallel (%i) = (0) to (8) {  //~ error: `speculate` is for `while` loops, whose condition may come late; the loop `i` counts
    affine.store %x, %m[%i] : memref<8xi32>
  }
  return
}
