// A memory outside of many words was slower than the clock, as if it were made of blocks of the device.
func.func @far(%a: memref<128x256xi32>, %n: i8) -> i32 {
  %zero = arith.constant 0 : i32
  %first = arith.constant 0 : i8
  %step = arith.constant 1 : i8
  %sum = scf.for %i = %first to %n step %step iter_args(%s = %zero) -> (i32) : i8 {
    %row = arith.index_castui %i : i8 to index
    %x = memref.load %a[%row, %row] : memref<128x256xi32>
    %t = arith.addi %s, %x : i32
    scf.yield %t : i32
  }
  return %sum : i32
}
