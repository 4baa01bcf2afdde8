func.func @indices(%a: memref<4x4xi8>, %i: index) -> i8 {
  %x = memref.load %a[%i] : memref<4x4xi8> //~ error: 'memref.load' op incorrect number of indices for load, expected 2 but got 1
  return %x : i8
}
