// config: {loops: {i: {jam: 4}}}
func.func @sum(%a: memref<6xi32>, %x: i32) {
  affine.for %i = 0 to 6 { //~ error: a jam factor of 4 does not divide the trip count 6; the nearest below is 3
    affine.store %x, %a[%i] : memref<6xi32>
  }
  return
}
