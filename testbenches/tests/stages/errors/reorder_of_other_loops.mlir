// config: loops: {i: {reorder: [k]}}
func.func @one(%x: memref<8xi32>, %s: i32) {
  affine.for %i = 0 to 8 { //~ error: the place `k` of the store at line 4: expected its loops `i` in some order
    affine.store %s, %x[%i] : memref<8xi32>
  }
  return
}
