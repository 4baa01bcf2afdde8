// A table that is read at what was read of it, without a register between: asked in cycles 1 and 2, answered in 3 = e: 4 cycles.
//
// run 0
// -> 1; 4 cycles
// run 3
// -> -1; 4 cycles
handshake.func @chase(%i: i2, %start: none) -> (i2, none) {
  %begins:2 = fork [2] %start : none
  %first, %first_at = load [%i] %port#0, %begins#0 : i2, i2
  %second, %second_at = load [%first] %port#1, %port#2 : i2, i2
  %port:4 = memory[ld = 2, st = 0] (%first_at, %second_at) {id = 0 : i32, lsq = false, sluice.values = [3, 3, 0, 1]} : memref<4xi2>, (i2, i2) -> (i2, i2, none, none)
  %all = join %port#3, %begins#1 : none, none
  return %second, %all : i2, none
}
