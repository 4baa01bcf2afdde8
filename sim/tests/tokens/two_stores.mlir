// Two stores to one word in order, no register between: asked in cycles 1 and 2, the second is done in 3 = e: 4 cycles.
//
// run [0, 0, 0] 1 5 6
// -> [0, 6, 0]; 4 cycles
// run [0, 0, 0] -1 5 6
// -> error: port `port.store0` stores at 3, and the memory has 3 words
// -> without time: error: port `port.store0` stores at 3, and the memory has 3 words
handshake.func @two_stores(%m: memref<3xi8>, %i: i2, %a: i8, %b: i8, %start: none) -> none {
  %begins:2 = fork [2] %start : none
  %is:2 = fork [2] %i : i2
  %first, %first_at = store [%is#0] %a, %begins#0 : i2, i8
  %second, %second_at = store [%is#1] %b, %port#0 : i2, i8
  %port:2 = extmemory[ld = 0, st = 2] (%m : memref<3xi8>) (%first, %first_at, %second, %second_at) {id = 0 : i32} : (i8, i2, i8, i2) -> (none, none)
  %all = join %port#1, %begins#1 : none, none
  return %all : none
}
