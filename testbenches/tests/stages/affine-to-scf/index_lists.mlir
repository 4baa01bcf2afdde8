// passes: affine-to-scf

// A number and its digits: the first base has no meaning, and may be missing.
func.func @digits(%n: index, %b: index) -> (index, index, index, index) {
  %0:3 = affine.delinearize_index %n into (2, 3, %b) : index, index, index
  %1 = affine.linearize_index disjoint [%0#0, %0#1, %0#2] by (3, %b) : index
  return %0#0, %0#1, %0#2, %1 : index, index, index, index
}

//> module {
//>   func.func @digits(%arg0: index, %arg1: index) -> (index, index, index, index) {
//>     %c3 = arith.constant 3 : index
//>     %0 = arith.muli %arg1, %c3 : index
//>     %1 = arith.floordivsi %arg0, %0 : index
//>     %c3_0 = arith.constant 3 : index
//>     %2 = arith.muli %arg1, %c3_0 : index
//>     %3 = arith.floordivsi %arg0, %2 : index
//>     %4 = arith.muli %3, %2 : index
//>     %5 = arith.subi %arg0, %4 : index
//>     %6 = arith.floordivsi %5, %arg1 : index
//>     %7 = arith.floordivsi %arg0, %arg1 : index
//>     %8 = arith.muli %7, %arg1 : index
//>     %9 = arith.subi %arg0, %8 : index
//>     %c3_1 = arith.constant 3 : index
//>     %10 = arith.muli %1, %c3_1 : index
//>     %11 = arith.addi %10, %6 : index
//>     %12 = arith.muli %11, %arg1 : index
//>     %13 = arith.addi %12, %9 : index
//>     return %1, %6, %9, %13 : index, index, index, index
//>   }
//> }
