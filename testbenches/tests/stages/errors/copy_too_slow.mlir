// config: {device: ice40, clock_period_ns: 4}
// A loop begins with other values than it goes on with: a selection between them is alone too long for the clock.
func.func @k(%first: i64, %words: memref<8xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %first) -> (i64) { //~ error: the usable clock period of 2.492 ns is too short: `copy(%x)` takes 2.695 ns within one cycle and 1 more operation is too slow; the nearest feasible usable clock period is 2.695 ns
    %word = memref.load %words[%i] : memref<8xi64>
    %next = arith.addi %x, %word : i64
    scf.yield %next : i64
  }
  return %r : i64
}
