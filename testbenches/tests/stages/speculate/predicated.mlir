// passes: canonicalise, if-convert, speculate

// A predicated load reads in any case; a predicated store waits for its condition and for the round to be wanted. A loop with
// another one in it stays as it is.
func.func @some(%a: memref<16xi8>, %b: memref<16xi8>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %none = arith.constant 0 : i8
  scf.while (%i = %zero) : (index) -> index {
    %x = memref.load %a[%i] : memref<16xi8>
    %is_set = arith.cmpi ne, %x, %none : i8
    %y = scf.if %is_set -> (i8) {
      %at = arith.index_castui %x : i8 to index
      %read = memref.load %b[%at] : memref<16xi8>
      scf.yield %read : i8
    } else {
      memref.store %x, %b[%i] : memref<16xi8>
      scf.yield %none : i8
    }
    %next = arith.addi %i, %one : index
    %again = arith.cmpi slt, %y, %x : i8
    scf.condition(%again) %next : index
  } do {
  ^bb0(%i: index):
    scf.yield %i : index
  } attributes {sluice.speculate = 3 : i64}
  scf.while (%i = %zero) : (index) -> index {
    %again = arith.cmpi ult, %i, %four : index
    scf.condition(%again) %i : index
  } do {
  ^bb0(%i: index):
    scf.for %j = %zero to %four step %one {
      memref.store %none, %b[%j] : memref<16xi8>
    }
    %next = arith.addi %i, %one : index
    scf.yield %next : index
  } attributes {sluice.speculate = 3 : i64}
  return
}

//> module {
//>   func.func @some(%arg0: memref<16xi8>, %arg1: memref<16xi8>) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     %c0_i8 = arith.constant 0 : i8
//>     %true = arith.constant true
//>     %0:2 = scf.while (%arg2 = %c0, %arg3 = %true) : (index, i1) -> (index, i1) {
//>       %2 = memref.load %arg0[%arg2] {sluice.speculated} : memref<16xi8>
//>       %3 = arith.cmpi ne, %2, %c0_i8 : i8
//>       %4 = arith.index_castui %2 : i8 to index
//>       %5 = memref.load %arg1[%4] {sluice.speculated} : memref<16xi8>
//>       %c0_i8_0 = arith.constant 0 : i8
//>       %6 = arith.select %3, %5, %c0_i8_0 : i8
//>       %true_1 = arith.constant true
//>       %7 = arith.xori %3, %true_1 : i1
//>       %8 = arith.andi %arg3, %7 : i1
//>       scf.if %8 {
//>         memref.store %2, %arg1[%arg2] : memref<16xi8>
//>       } {sluice.guard}
//>       %9 = arith.select %3, %6, %c0_i8 : i8
//>       %10 = arith.addi %arg2, %c1 : index
//>       %11 = arith.cmpi slt, %9, %2 : i8
//>       %false = arith.constant false
//>       %12 = arith.select %arg3, %11, %false : i1
//>       %13 = builtin.unrealized_conversion_cast %arg3 : i1 to i1 {sluice.stale = 4 : i64}
//>       scf.condition(%13) %10, %12 : index, i1
//>     } do {
//>     ^bb0(%arg2: index, %arg3: i1):
//>       scf.yield %arg2, %arg3 : index, i1
//>     }
//>     %1 = scf.while (%arg2 = %c0) : (index) -> index {
//>       %2 = arith.cmpi ult, %arg2, %c4 : index
//>       scf.condition(%2) %arg2 : index
//>     } do {
//>     ^bb0(%arg2: index):
//>       scf.for %arg3 = %c0 to %c4 step %c1 {
//>         memref.store %c0_i8, %arg1[%arg3] : memref<16xi8>
//>       }
//>       %2 = arith.addi %arg2, %c1 : index
//>       scf.yield %2 : index
//>     } attributes {sluice.speculate = 3 : i64}
//>     return
//>   }
//> }
