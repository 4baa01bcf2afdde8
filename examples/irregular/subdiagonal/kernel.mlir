// Where a matrix falls apart: the first entry below the diagonal that is small beside its neighbours on it.
func.func @subdiagonal(%d1: memref<128xi32>, %d2: memref<128xi32>, %e: memref<128xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %last = arith.constant 127 : i32
  %factor = arith.constant 3 : i32
  %true = arith.constant true
  %place = scf.while (%i = %zero) : (i32) -> i32 {
    %here = arith.index_cast %i : i32 to index
    %next = arith.addi %i, %one : i32
    %there = arith.index_cast %next : i32 to index
    %x = memref.load %d1[%here] : memref<128xi32>
    %y = memref.load %d2[%there] : memref<128xi32>
    %sum = arith.addi %x, %y : i32
    %limit = arith.muli %sum, %factor : i32
    %entry = memref.load %e[%there] : memref<128xi32>
    %is_small = arith.cmpi sle, %entry, %limit : i32
    %is_large = arith.xori %is_small, %true : i1
    %is_inside = arith.cmpi slt, %next, %last : i32
    %again = arith.andi %is_large, %is_inside : i1
    scf.condition(%again) %next : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  return %place : i32
}
