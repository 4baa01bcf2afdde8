// passes: handshake-to-hw

handshake.func @f(%a: i3) -> i8 {
  %m:2 = memory[ld = 1, st = 0] (%asks) {id = 0 : i32, lsq = false, sluice.values = [1 : i8, 2 : i8]} : memref<8xi8>, (i3) -> (i8, none)
  %always = source
  %word, %asks = load [%a] %m#0, %always : i3, i8
  sink %m#1 : none
  return %word : i8
}

//> kernel.mlir:4:10: error: `handshake.memory`: expected 8 integers of 8 bits in `sluice.values`
//>       %m:2 = memory[ld = 1, st = 0] (%asks) {id = 0 : i32, lsq = false, sluice.values = [1 : i8, 2 : i8]} : memref<8xi8>, (i...
//>              ^
