// config: {storage: {a: lut_ram}}
func.func @set(%a: memref<8xi32>, %x: i32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<8xi32>
  }
  return
}
//~ error without a place: storage for a memory `a`, which is an argument, whose memory is outside of the circuit: there is no local memory or table
