// At this clock no multiplier block fits, and neither do sums, shifts and divisions of these widths: all are made of pieces.
func.func @operations_wider_than_a_cycle(%A: memref<8xi64>, %B: memref<8xi128>, %n: i64) -> (i128, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %one = arith.constant 1 : i64
  %most = arith.constant 100 : i64
  %zero = arith.constant 0 : i128
  %odd = arith.ori %n, %one : i64
  %sum, %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%all = %zero, %carried = %n) -> (i128, i64) {
    %a = memref.load %A[%i] : memref<8xi64>
    %b = memref.load %B[%i] : memref<8xi128>
    %wide = arith.extsi %a : i64 to i128
    %factor = arith.extsi %odd : i64 to i128
    %product = arith.muli %wide, %factor : i128
    %next = arith.addi %all, %product : i128
    %low = arith.minsi %next, %b : i128
    %amount = arith.remui %a, %most : i64
    %shift = arith.extui %amount : i64 to i128
    %moved = arith.shrsi %b, %shift : i128
    memref.store %moved, %B[%i] : memref<8xi128>
    %is_less = arith.cmpi slt, %a, %carried : i64
    %quotient = scf.if %is_less -> i64 {
      %q = arith.divsi %carried, %odd : i64
      scf.yield %q : i64
    } else {
      %q = arith.subi %a, %carried : i64
      scf.yield %q : i64
    }
    scf.yield %low, %quotient : i128, i64
  }
  return %sum, %last : i128, i64
}
