// passes: narrow

// A loop to sixteen counts in few bits, and so do the addresses.
func.func @fill(%a: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %x = arith.index_cast %i : index to i32
    memref.store %x, %a[%i] : memref<16xi32>
  }
  return
}

//> module {
//>   func.func @fill(%arg0: memref<16xi32>) {
//>     %false = arith.constant false
//>     %true = arith.constant true
//>     %c-16_i5 = arith.constant -16 : i5
//>     %c0_i6 = arith.constant 0 : i6
//>     %c16_i6 = arith.constant 16 : i6
//>     %c1_i6 = arith.constant 1 : i6
//>     scf.for %arg1 = %c0_i6 to %c16_i6 step %c1_i6  : i6 {
//>       %0 = arith.trunci %arg1 : i6 to i4
//>       %1 = arith.extui %0 : i4 to i32
//>       %2 = arith.trunci %arg1 : i6 to i4
//>       %3 = arith.index_castui %2 : i4 to index
//>       memref.store %1, %arg0[%3] : memref<16xi32>
//>     }
//>     return
//>   }
//> }
