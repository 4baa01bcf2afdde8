// passes: canonicalise, coalesce, canonicalise

// A nest with work before and behind its inner loop: the work runs in the first and in the last step of the inner loop.
func.func @scaled_sums(%a: memref<24xi32>, %s: memref<4xi32>, %o: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %start = memref.load %s[%i] : memref<4xi32>
    %sum = scf.for %j = %c0 to %c6 step %c1 iter_args(%acc = %start) -> (i32) {
      %row = arith.muli %i, %c6 : index
      %at = arith.addi %row, %j : index
      %x = memref.load %a[%at] : memref<24xi32>
      %next = arith.addi %acc, %x : i32
      scf.yield %next : i32
    }
    memref.store %sum, %o[%i] : memref<4xi32>
  }
  return
}
