// passes: widen-addresses, canonicalise

// Sixteen rows of sixteen words, in 32 bits: the subscript is a sum of counters. In eight bits it would wrap, and stays.
func.func @subscripts(%m: memref<256xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %row32 = arith.constant 16 : i32
  %row8 = arith.constant 16 : i8
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c16 step %c1 {
      %i32 = arith.index_cast %i : index to i32
      %j32 = arith.index_cast %j : index to i32
      %start = arith.muli %i32, %row32 : i32
      %sum = arith.addi %start, %j32 : i32
      %at = arith.index_cast %sum : i32 to index
      %x = memref.load %m[%at] : memref<256xi32>
      %i8 = arith.index_cast %i : index to i8
      %j8 = arith.index_cast %j : index to i8
      %start8 = arith.muli %i8, %row8 : i8
      %sum8 = arith.addi %start8, %j8 : i8
      %at8 = arith.index_cast %sum8 : i8 to index
      memref.store %x, %m[%at8] : memref<256xi32>
    }
  }
  return
}

//> module {
//>   func.func @subscripts(%arg0: memref<256xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c16 = arith.constant 16 : index
//>     %c16_i8 = arith.constant 16 : i8
//>     scf.for %arg1 = %c0 to %c16 step %c1 {
//>       scf.for %arg2 = %c0 to %c16 step %c1 {
//>         %0 = arith.muli %arg1, %c16 : index
//>         %1 = arith.addi %0, %arg2 : index
//>         %2 = memref.load %arg0[%1] : memref<256xi32>
//>         %3 = arith.index_cast %arg1 : index to i8
//>         %4 = arith.index_cast %arg2 : index to i8
//>         %5 = arith.muli %3, %c16_i8 : i8
//>         %6 = arith.addi %5, %4 : i8
//>         %7 = arith.index_cast %6 : i8 to index
//>         memref.store %2, %arg0[%7] : memref<256xi32>
//>       }
//>     }
//>     return
//>   }
//> }
