// config: {loops: {i: {ii: 1}}}
func.func @histogram(%a: memref<64xi8>, %h: memref<256xi32>) {
  affine.for %i = 0 to 64 { //~ error: II 1 is too small: `%old` needs II >= 2: recurrence `%old -> memref.store` takes 2 cycles over distance 1; the nearest feasible II is 2
    %x = affine.load %a[%i] : memref<64xi8>
    %bin = arith.index_castui %x : i8 to index
    %old = memref.load %h[%bin] : memref<256xi32>
    %one = arith.constant 1 : i32
    %new = arith.addi %old, %one : i32
    memref.store %new, %h[%bin] : memref<256xi32>
  }
  return
}
