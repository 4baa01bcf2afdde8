// The sum of products up to the first one that makes it negative, and how many there were.
func.func @sparse_sum(%a: memref<128xi32>, %x: memref<128xi32>) -> (i32, i32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 128 : index
  %none = arith.constant 0 : i32
  %count, %sum = scf.while (%i = %zero, %partial = %none) : (index, i32) -> (index, i32) {
    %u = memref.load %a[%i] : memref<128xi32>
    %v = memref.load %x[%i] : memref<128xi32>
    %product = arith.muli %u, %v : i32
    %more = arith.addi %partial, %product : i32
    %next = arith.addi %i, %one : index
    %is_positive = arith.cmpi sge, %more, %none : i32
    %is_inside = arith.cmpi ult, %next, %n : index
    %again = arith.andi %is_positive, %is_inside : i1
    scf.condition(%again) %next, %more : index, i32
  } do {
  ^bb0(%i: index, %partial: i32):
    scf.yield %i, %partial : index, i32
  }
  %terms = arith.index_cast %count : index to i32
  return %sum, %terms : i32, i32
}
