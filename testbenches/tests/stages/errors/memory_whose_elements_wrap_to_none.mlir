func.func @k(%m: memref<4294967296x4294967296xi8>, %i: index, %v: i8) -> i8 { //~ error: a memref of 18446744073709551616 words, but the limit `memory_words` is 2147483648
  memref.store %v, %m[%i, %i] : memref<4294967296x4294967296xi8>
  %r = memref.load %m[%i, %i] : memref<4294967296x4294967296xi8>
  return %r : i8
}
