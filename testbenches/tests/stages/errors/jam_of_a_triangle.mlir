// config: {loops: {i: {jam: 2}}}
func.func @triangle(%a: memref<8x8xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) { //~ error: the bounds of this loop change with `%i`, which cannot be jammed
      affine.store %x, %a[%i, %j] : memref<8x8xi32>
    }
  }
  return
}
