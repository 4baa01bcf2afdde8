// How many steps each of 8 numbers takes to 1: half of an even one, 3 n + 1 of an odd one. 0 takes none.
func.func @collatz(%starts: memref<8xi32>, %lengths: memref<8xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %length = arith.constant 8 : index
  %none = arith.constant 0 : i32
  %unit = arith.constant 1 : i32
  scf.for %s = %zero to %length step %one {
    %start = memref.load %starts[%s] : memref<8xi32>
    %last, %steps = scf.while (%n = %start, %count = %none) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi ugt, %n, %unit : i32
      scf.condition(%more) %n, %count : i32, i32
    } do {
    ^bb0(%n: i32, %count: i32):
      %odd = arith.trunci %n : i32 to i1
      %next = scf.if %odd -> (i32) {
        %double = arith.shli %n, %unit : i32
        %triple = arith.addi %double, %n : i32
        %after = arith.addi %triple, %unit : i32
        scf.yield %after : i32
      } else {
        %half = arith.shrui %n, %unit : i32
        scf.yield %half : i32
      }
      %counted = arith.addi %count, %unit : i32
      scf.yield %next, %counted : i32, i32
    }
    memref.store %steps, %lengths[%s] : memref<8xi32>
  }
  return
}
