// How often a pattern of 4 bytes is in a text of 64, overlaps counted: Knuth, Morris and Pratt.
func.func @string_match(%pattern: memref<4xi8>, %text: memref<64xi8>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %length = arith.constant 4 : index
  %n_bytes = arith.constant 64 : index
  %none = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  // borders[i]: the longest proper prefix of the pattern that also ends at its byte i.
  %borders = memref.alloca() : memref<4xindex>
  memref.store %zero, %borders[%zero] : memref<4xindex>
  %whole = scf.for %i = %one to %length step %one iter_args(%border = %zero) -> (index) {
    %byte = memref.load %pattern[%i] : memref<4xi8>
    %kept = func.call @shorten(%pattern, %borders, %border, %byte) : (memref<4xi8>, memref<4xindex>, index, i8) -> index
    %there = memref.load %pattern[%kept] : memref<4xi8>
    %same = arith.cmpi eq, %there, %byte : i8
    %longer = arith.addi %kept, %one : index
    %next = arith.select %same, %longer, %kept : index
    memref.store %next, %borders[%i] : memref<4xindex>
    scf.yield %next : index
  }
  %matched, %count = scf.for %i = %zero to %n_bytes step %one iter_args(%m = %zero, %c = %none) -> (index, i32) {
    %byte = memref.load %text[%i] : memref<64xi8>
    %kept = func.call @shorten(%pattern, %borders, %m, %byte) : (memref<4xi8>, memref<4xindex>, index, i8) -> index
    %there = memref.load %pattern[%kept] : memref<4xi8>
    %same = arith.cmpi eq, %there, %byte : i8
    %longer = arith.addi %kept, %one : index
    %now = arith.select %same, %longer, %kept : index
    %all = arith.cmpi eq, %now, %length : index
    %next, %sum = scf.if %all -> (index, i32) {
      %last = arith.subi %length, %one : index
      %border = memref.load %borders[%last] : memref<4xindex>
      %more = arith.addi %c, %step : i32
      scf.yield %border, %more : index, i32
    } else {
      scf.yield %now, %c : index, i32
    }
    scf.yield %next, %sum : index, i32
  }
  return %count : i32
}

// The longest border of what is matched that the byte may go on from.
func.func private @shorten(%pattern: memref<4xi8>, %borders: memref<4xindex>, %matched: index, %byte: i8) -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %false = arith.constant false
  %kept = scf.while (%m = %matched) : (index) -> index {
    %some = arith.cmpi ne, %m, %zero : index
    %falls = scf.if %some -> (i1) {
      %there = memref.load %pattern[%m] : memref<4xi8>
      %differs = arith.cmpi ne, %there, %byte : i8
      scf.yield %differs : i1
    } else {
      scf.yield %false : i1
    }
    scf.condition(%falls) %m : index
  } do {
  ^bb0(%m: index):
    %before = arith.subi %m, %one : index
    %shorter = memref.load %borders[%before] : memref<4xindex>
    scf.yield %shorter : index
  }
  return %kept : index
}
