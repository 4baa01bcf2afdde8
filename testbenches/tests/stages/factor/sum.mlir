// passes: canonicalise, factor, canonicalise

// The invariant factor of a sum of products multiplies the sum.
func.func @weighted(%a: memref<8xi32>, %b: memref<8xi32>, %w: i32, %start: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %start) -> (i32) {
    %x = memref.load %a[%i] : memref<8xi32>
    %y = memref.load %b[%i] : memref<8xi32>
    %weighted = arith.muli %w, %x : i32
    %product = arith.muli %weighted, %y : i32
    %next = arith.addi %acc, %product : i32
    scf.yield %next : i32
  }
  return %sum : i32
}
