// Latencies in a row: 2 registers of two slots, 3 of one, a queue. The token is at the end in cycle 1 + 2 + 3 + 0 = 6: 7 cycles.
//
// run -5
// -> -5; 7 cycles
handshake.func @buffers(%a: i8, %start: none) -> (i8, none) {
  %double = buffer [2] seq %a : i8
  %single = buffer [3] seq %double {sluice.cut = "data"} : i8
  %queue = buffer [4] fifo %single : i8
  return %queue, %start : i8, none
}
