// passes: canonicalise, coalesce, canonicalise

// A division between loops runs under a guard; idle steps wait for the quotient.
func.func @normalise(%a: memref<32xi32>, %d: memref<4xi32>, %o: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    %sum = scf.for %j = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (i32) {
      %row = arith.muli %i, %c8 : index
      %at = arith.addi %row, %j : index
      %x = memref.load %a[%at] : memref<32xi32>
      %next = arith.addi %acc, %x : i32
      scf.yield %next : i32
    }
    %by = memref.load %d[%i] : memref<4xi32>
    %quotient = arith.divsi %sum, %by : i32
    memref.store %quotient, %o[%i] : memref<4xi32>
  }
  return
}
