func.func @k(%m: memref<3x6148914691236517206xi8>, %i: index, %v: i8) -> i8 { //~ error: a memref of 18446744073709551618 words, but the limit `memory_words` is 2147483648
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %w = memref.load %m[%c0, %i] : memref<3x6148914691236517206xi8>
  memref.store %v, %m[%c2, %i] : memref<3x6148914691236517206xi8>
  return %w : i8
}
