// Looks 16 queries up in a sorted table; the place of each, or -1. Leaves the search at once where the key is found.
func.func @binary_search(%table: memref<64xi32>, %queries: memref<16xi32>, %places: memref<16xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n_queries = arith.constant 16 : index
  %first = arith.constant 0 : i32
  %end = arith.constant 64 : i32
  %step = arith.constant 1 : i32
  %absent = arith.constant -1 : i32
  scf.for %q = %zero to %n_queries step %one {
    %key = memref.load %queries[%q] : memref<16xi32>
    %low, %high, %place = scf.while (%l = %first, %h = %end, %p = %absent) : (i32, i32, i32) -> (i32, i32, i32) {
      %open = arith.cmpi slt, %l, %h : i32
      %missing = arith.cmpi eq, %p, %absent : i32
      %more = arith.andi %open, %missing : i1
      scf.condition(%more) %l, %h, %p : i32, i32, i32
    } do {
    ^bb0(%l: i32, %h: i32, %p: i32):
      %sum = arith.addi %l, %h : i32
      %middle = arith.shrui %sum, %step : i32
      %at = arith.index_cast %middle : i32 to index
      %found = memref.load %table[%at] : memref<64xi32>
      %equal = arith.cmpi eq, %found, %key : i32
      %less = arith.cmpi slt, %found, %key : i32
      %nl, %nh, %np = scf.if %equal -> (i32, i32, i32) {
        scf.yield %l, %h, %middle : i32, i32, i32
      } else {
        %al, %ah = scf.if %less -> (i32, i32) {
          %above = arith.addi %middle, %step : i32
          scf.yield %above, %h : i32, i32
        } else {
          scf.yield %l, %middle : i32, i32
        }
        scf.yield %al, %ah, %p : i32, i32, i32
      }
      scf.yield %nl, %nh, %np : i32, i32, i32
    }
    memref.store %place, %places[%q] : memref<16xi32>
  }
  return
}
