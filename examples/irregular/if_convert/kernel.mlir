// Marks places on the way through a row, one or two at a time as the row says.
func.func @if_convert(%a: memref<200xi32>, %b: memref<201xi32>) {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %last = arith.constant 199 : i32
  %bound = arith.constant 10000 : i32
  scf.while (%i = %one) : (i32) -> i32 {
    %here = arith.index_cast %i : i32 to index
    %x = memref.load %a[%here] : memref<200xi32>
    %product = arith.muli %i, %x : i32
    %is_small = arith.cmpi slt, %product, %bound : i32
    %next = scf.if %is_small -> (i32) {
      %further = arith.addi %i, %two : i32
      scf.yield %further : i32
    } else {
      %further = arith.addi %i, %one : i32
      scf.yield %further : i32
    }
    %there = arith.index_cast %next : i32 to index
    memref.store %one, %b[%there] : memref<201xi32>
    %again = arith.cmpi slt, %next, %last : i32
    scf.condition(%again) %next : i32
  } do {
  ^bb0(%i: i32):
    scf.yield %i : i32
  }
  return
}
