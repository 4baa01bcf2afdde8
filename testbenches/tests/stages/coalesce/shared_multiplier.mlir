// passes: canonicalise, coalesce, canonicalise
// config: limits: {multiply: 1}

// One multiplier for both products: the one between the loops has a step of its own, and both are one operation.
func.func @shared(%a: memref<4xi32>, %b: memref<32xi32>, %k: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xi32>
    %scaled = arith.muli %x, %k : i32
    scf.for %j = %c0 to %c8 step %c1 {
      %row = arith.muli %i, %c8 : index
      %at = arith.addi %row, %j : index
      %y = memref.load %b[%at] : memref<32xi32>
      %z = arith.muli %scaled, %y : i32
      memref.store %z, %b[%at] : memref<32xi32>
    }
  }
  return
}
