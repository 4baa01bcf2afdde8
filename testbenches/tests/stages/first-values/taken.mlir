// passes: canonicalise, first-values, canonicalise

// Every cell is read first in the first iteration of `%i`, and written behind that: no loop is needed for its first value.
func.func @taken(%a: memref<32xi32>, %y: memref<8xi32>, %start: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %j = %c0 to %c8 step %c1 {
    memref.store %start, %y[%j] : memref<8xi32>
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %row = arith.muli %i, %c8 : index
    scf.for %j = %c0 to %c8 step %c1 {
      %at = arith.addi %row, %j : index
      %x = memref.load %a[%at] : memref<32xi32>
      %old = memref.load %y[%j] : memref<8xi32>
      %new = arith.addi %old, %x : i32
      memref.store %new, %y[%j] : memref<8xi32>
    }
  }
  return
}

//> module {
//>   func.func @taken(%arg0: memref<32xi32>, %arg1: memref<8xi32>, %arg2: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     %c8 = arith.constant 8 : index
//>     scf.for %arg3 = %c0 to %c4 step %c1 {
//>       %0 = arith.muli %arg3, %c8 : index
//>       scf.for %arg4 = %c0 to %c8 step %c1 {
//>         %1 = arith.addi %0, %arg4 : index
//>         %2 = memref.load %arg0[%1] : memref<32xi32>
//>         %3 = memref.load %arg1[%arg4] : memref<8xi32>
//>         %4 = arith.cmpi eq, %arg3, %c0 : index
//>         %5 = arith.select %4, %arg2, %3 : i32
//>         %6 = arith.addi %5, %2 : i32
//>         memref.store %6, %arg1[%arg4] : memref<8xi32>
//>       }
//>     }
//>     return
//>   }
//> }
