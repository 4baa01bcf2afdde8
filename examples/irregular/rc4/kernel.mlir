// RC4: mixes `state` with a key of `length` bytes, then writes `n` bytes of the stream. Returns the last sum of the mixing.
func.func @rc4(%length: i8, %n: i32, %key: memref<16xi8>, %state: memref<256xi8>, %stream: memref<64xi8>) -> i8 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %size = arith.constant 256 : index
  %mask = arith.constant 255 : index
  %none = arith.constant 0 : i8
  %unit = arith.constant 1 : i8
  scf.for %i = %zero to %size step %one {
    %byte = arith.index_cast %i : index to i8
    memref.store %byte, %state[%i] : memref<256xi8>
  }
  %mixed:2 = scf.for %i = %zero to %size step %one iter_args(%sum = %none, %k = %none) -> (i8, i8) {
    %place = arith.index_castui %k : i8 to index
    %part = memref.load %key[%place] : memref<16xi8>
    %a = memref.load %state[%i] : memref<256xi8>
    %with_part = arith.addi %sum, %part : i8
    %new = arith.addi %with_part, %a : i8
    %j = arith.index_castui %new : i8 to index
    %b = memref.load %state[%j] : memref<256xi8>
    memref.store %b, %state[%i] : memref<256xi8>
    memref.store %a, %state[%j] : memref<256xi8>
    %next = arith.addi %k, %unit : i8
    %ends = arith.cmpi eq, %next, %length : i8
    %wrapped = arith.select %ends, %none, %next : i8
    scf.yield %new, %wrapped : i8, i8
  }
  %count = arith.index_cast %n : i32 to index
  scf.for %t = %zero to %count step %one iter_args(%sum = %none) -> (i8) {
    %next = arith.addi %t, %one : index
    %i = arith.andi %next, %mask : index
    %a = memref.load %state[%i] : memref<256xi8>
    %new = arith.addi %sum, %a : i8
    %j = arith.index_castui %new : i8 to index
    %b = memref.load %state[%j] : memref<256xi8>
    memref.store %b, %state[%i] : memref<256xi8>
    memref.store %a, %state[%j] : memref<256xi8>
    %both = arith.addi %a, %b : i8
    %at = arith.index_castui %both : i8 to index
    %byte = memref.load %state[%at] : memref<256xi8>
    memref.store %byte, %stream[%t] : memref<64xi8>
    scf.yield %new : i8
  }
  return %mixed#0 : i8
}
