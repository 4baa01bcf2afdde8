// passes: canonicalise, coalesce, canonicalise

// Rows of growing length, the first one empty; each row has a step of its own for what it stores.
func.func @triangle(%a: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    %row = arith.muli %i, %c4 : index
    %diagonal = arith.addi %row, %i : index
    scf.for %j = %c0 to %i step %c1 {
      %at = arith.addi %row, %j : index
      %x = memref.load %a[%at] : memref<16xi32>
      %y = arith.addi %x, %x : i32
      memref.store %y, %a[%at] : memref<16xi32>
    }
    memref.store %zero, %a[%diagonal] : memref<16xi32>
  }
  return
}
