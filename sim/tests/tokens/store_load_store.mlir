// A wide local memory, its accesses in order: asked in cycles 1, 2 and 3, the last is done in 4 = e: 5 cycles. The load is between.
//
// run -5 6
// -> -5; 5 cycles
handshake.func @store_load_store(%a: i100, %b: i100, %start: none) -> (i100, none) {
  %begins:5 = fork [5] %start : none
  %i = constant %begins#0 {value = 2 : i2} : i2
  %j = constant %begins#1 {value = 2 : i2} : i2
  %k = constant %begins#2 {value = 2 : i2} : i2
  %first, %first_at = store [%i] %a, %begins#3 : i2, i100
  %old, %old_at = load [%j] %port#0, %port#1 : i2, i100
  %second, %second_at = store [%k] %b, %port#3 : i2, i100
  %port:4 = memory[ld = 1, st = 2] (%first, %first_at, %second, %second_at, %old_at) {id = 0 : i32, lsq = false} : memref<3xi100>, (i100, i2, i100, i2, i2) -> (i100, none, none, none)
  %all = join %port#2, %begins#4 : none, none
  return %old, %all : i100, none
}
