// Puts 16 keys into a hash table of 32 places with linear probing, then looks 16 queries up: the place of each, or -1.
// Keys are not negative; -1 is an empty place. A key that is there already keeps its place.
func.func @hash_probe(%keys: memref<16xi32>, %queries: memref<16xi32>, %places: memref<16xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n_keys = arith.constant 16 : index
  %n_places = arith.constant 32 : index
  %empty = arith.constant -1 : i32
  %table = memref.alloca() : memref<32xi32>
  scf.for %i = %zero to %n_places step %one {
    memref.store %empty, %table[%i] : memref<32xi32>
  }
  scf.for %i = %zero to %n_keys step %one {
    %key = memref.load %keys[%i] : memref<16xi32>
    %place = func.call @probe(%table, %key) : (memref<32xi32>, i32) -> i32
    %at = arith.index_cast %place : i32 to index
    memref.store %key, %table[%at] : memref<32xi32>
  }
  scf.for %i = %zero to %n_keys step %one {
    %query = memref.load %queries[%i] : memref<16xi32>
    %place = func.call @probe(%table, %query) : (memref<32xi32>, i32) -> i32
    %at = arith.index_cast %place : i32 to index
    %found = memref.load %table[%at] : memref<32xi32>
    %there = arith.cmpi eq, %found, %query : i32
    %answer = arith.select %there, %place, %empty : i32
    memref.store %answer, %places[%i] : memref<16xi32>
  }
  return
}

// The first place from the key's own on that holds the key or nothing. Half of the places are empty, so there is one.
func.func private @probe(%table: memref<32xi32>, %key: i32) -> i32 {
  %empty = arith.constant -1 : i32
  %unit = arith.constant 1 : i32
  %mask = arith.constant 31 : i32
  %factor = arith.constant 13 : i32
  %product = arith.muli %key, %factor : i32
  %hash = arith.andi %product, %mask : i32
  cf.br ^look(%hash : i32)
^look(%place: i32):
  %at = arith.index_cast %place : i32 to index
  %found = memref.load %table[%at] : memref<32xi32>
  %is_key = arith.cmpi eq, %found, %key : i32
  %is_empty = arith.cmpi eq, %found, %empty : i32
  %ends = arith.ori %is_key, %is_empty : i1
  cf.cond_br %ends, ^end, ^next
^next:
  %after = arith.addi %place, %unit : i32
  %wrapped = arith.andi %after, %mask : i32
  cf.br ^look(%wrapped : i32)
^end:
  return %place : i32
}
