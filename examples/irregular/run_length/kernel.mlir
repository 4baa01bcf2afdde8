// Run-length encoding of n bytes: the byte of each run and its length. Returns the number of runs.
func.func @run_length(%n: i32, %bytes: memref<64xi8>, %symbols: memref<64xi8>, %lengths: memref<64xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %unit = arith.constant 1 : i32
  %end = arith.index_cast %n : i32 to index
  %runs = scf.for %i = %zero to %end step %one iter_args(%run = %none) -> (i32) {
    %byte = memref.load %bytes[%i] : memref<64xi8>
    %first = arith.cmpi eq, %run, %none : i32
    %begins = scf.if %first -> (i1) {
      %true = arith.constant true
      scf.yield %true : i1
    } else {
      %last = arith.subi %run, %unit : i32
      %at = arith.index_cast %last : i32 to index
      %symbol = memref.load %symbols[%at] : memref<64xi8>
      %differs = arith.cmpi ne, %symbol, %byte : i8
      scf.yield %differs : i1
    }
    %now = scf.if %begins -> (i32) {
      %at = arith.index_cast %run : i32 to index
      memref.store %byte, %symbols[%at] : memref<64xi8>
      memref.store %unit, %lengths[%at] : memref<64xi32>
      %more = arith.addi %run, %unit : i32
      scf.yield %more : i32
    } else {
      %last = arith.subi %run, %unit : i32
      %at = arith.index_cast %last : i32 to index
      %length = memref.load %lengths[%at] : memref<64xi32>
      %longer = arith.addi %length, %unit : i32
      memref.store %longer, %lengths[%at] : memref<64xi32>
      scf.yield %run : i32
    }
    scf.yield %now : i32
  }
  return %runs : i32
}
