// Sorts in place, signed and ascending: each value moves down past the larger ones.
func.func @insertion_sort_30(%values: memref<30xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %count = arith.constant 30 : index
  scf.for %i = %one to %count step %one {
    %value = memref.load %values[%i] : memref<30xi32>
    %place = scf.while (%j = %i) : (index) -> index {
      %not_first = arith.cmpi sgt, %j, %zero : index
      %larger = scf.if %not_first -> (i1) {
        %below = arith.subi %j, %one : index
        %other = memref.load %values[%below] : memref<30xi32>
        %greater = arith.cmpi sgt, %other, %value : i32
        scf.yield %greater : i1
      } else {
        scf.yield %not_first : i1
      }
      scf.condition(%larger) %j : index
    } do {
    ^bb0(%j: index):
      %below = arith.subi %j, %one : index
      %other = memref.load %values[%below] : memref<30xi32>
      memref.store %other, %values[%j] : memref<30xi32>
      scf.yield %below : index
    }
    memref.store %value, %values[%place] : memref<30xi32>
  }
  return
}
