func.func @unneeded_loop_that_reads(%m: memref<8xi8>, %x: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  scf.for %r = %c0 to %c8 step %c1 {
    %l = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %x) -> (i8) {
      %v = memref.load %m[%i] : memref<8xi8>
      %t = arith.muli %s, %v : i8
      scf.yield %t : i8
    }
  }
  return %x : i8
}
