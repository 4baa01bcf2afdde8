// Sorts 16 signed integers in place, smallest first, until a pass swaps nothing. Returns the number of passes.
func.func @bubble_sort(%values: memref<16xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.constant 15 : index
  %none = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %false = arith.constant false
  %true = arith.constant true
  %passes, %end = scf.while (%pass = %none, %unsorted = %last) : (i32, index) -> (i32, index) {
    %counted = arith.addi %pass, %step : i32
    %swapped = scf.for %i = %zero to %unsorted step %one iter_args(%any = %false) -> (i1) {
      %next = arith.addi %i, %one : index
      %left = memref.load %values[%i] : memref<16xi32>
      %right = memref.load %values[%next] : memref<16xi32>
      %wrong = arith.cmpi sgt, %left, %right : i32
      %now = scf.if %wrong -> (i1) {
        memref.store %right, %values[%i] : memref<16xi32>
        memref.store %left, %values[%next] : memref<16xi32>
        scf.yield %true : i1
      } else {
        scf.yield %any : i1
      }
      scf.yield %now : i1
    }
    scf.condition(%swapped) %counted, %unsorted : i32, index
  } do {
  ^bb0(%pass: i32, %unsorted: index):
    %fewer = arith.subi %unsorted, %one : index
    scf.yield %pass, %fewer : i32, index
  }
  return %passes : i32
}
