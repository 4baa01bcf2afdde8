// config: {loops: {i: {ii: 2}}}
func.func @outer(%a: memref<4x4xi8>, %x: i8) {
  affine.for %i = 0 to 4 { //~ error: an `ii` of this loop has no effect: only innermost loops are pipelined
    affine.for %j = 0 to 4 {
      affine.store %x, %a[%i, %j] : memref<4x4xi8>
    }
  }
  return
}
