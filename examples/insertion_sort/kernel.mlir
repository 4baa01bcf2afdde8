// Sorts 32 signed integers in place, smallest first.
func.func @insertion_sort(%values: memref<32xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %length = arith.constant 32 : index
  %false = arith.constant false
  scf.for %i = %one to %length step %one {
    %key = memref.load %values[%i] : memref<32xi32>
    // Moves larger elements one place up until the place of the key is free.
    %place = scf.while (%j = %i) : (index) -> index {
      %inside = arith.cmpi ugt, %j, %zero : index
      %shift = scf.if %inside -> (i1) {
        %below = arith.subi %j, %one : index
        %candidate = memref.load %values[%below] : memref<32xi32>
        %larger = arith.cmpi sgt, %candidate, %key : i32
        scf.yield %larger : i1
      } else {
        scf.yield %false : i1
      }
      scf.condition(%shift) %j : index
    } do {
    ^bb0(%j: index):
      %below = arith.subi %j, %one : index
      %moved = memref.load %values[%below] : memref<32xi32>
      memref.store %moved, %values[%j] : memref<32xi32>
      scf.yield %below : index
    }
    memref.store %key, %values[%place] : memref<32xi32>
  }
  return
}
