// Two loads of one memory at once: the later port goes first. It is asked in cycle 1, the other one in 2 and answers in 3 = e: 4 cycles.
//
// run [5, 6, 7, 8] 1 3
// -> 6 8 [5, 6, 7, 8]; 4 cycles
handshake.func @two_loads(%m: memref<4xi8>, %i: i2, %j: i2, %start: none) -> (i8, i8, none) {
  %begins:3 = fork [3] %start : none
  %first, %first_at = load [%i] %port#0, %begins#0 : i2, i8
  %second, %second_at = load [%j] %port#1, %begins#1 : i2, i8
  %port:4 = extmemory[ld = 2, st = 0] (%m : memref<4xi8>) (%first_at, %second_at) {id = 0 : i32} : (i2, i2) -> (i8, i8, none, none)
  %all = join %port#2, %port#3, %begins#2 : none, none, none
  return %first, %second, %all : i8, i8, none
}
