// passes: canonicalise, speculate

// Rounds start before it is known whether they are wanted: stores wait for that, the load does not, and the result is that of the
// last round that was wanted.
func.func @search(%a: memref<10xi8>, %b: memref<10xi8>) -> i4 {
  %zero = arith.constant 0 : i4
  %one = arith.constant 1 : i4
  %limit = arith.constant 100 : i8
  %found = scf.while (%i = %zero) : (i4) -> i4 {
    %at = arith.index_castui %i : i4 to index
    %x = memref.load %a[%at] : memref<10xi8>
    %again = arith.cmpi slt, %x, %limit : i8
    scf.condition(%again) %i : i4
  } do {
  ^bb0(%i: i4):
    %at = arith.index_castui %i : i4 to index
    %x = memref.load %a[%at] : memref<10xi8>
    memref.store %x, %b[%at] : memref<10xi8>
    %next = arith.addi %i, %one : i4
    scf.yield %next : i4
  } attributes {sluice.speculate = 2 : i64}
  return %found : i4
}

//> module {
//>   func.func @search(%arg0: memref<10xi8>, %arg1: memref<10xi8>) -> i4 {
//>     %c0_i4 = arith.constant 0 : i4
//>     %c1_i4 = arith.constant 1 : i4
//>     %c100_i8 = arith.constant 100 : i8
//>     %true = arith.constant true
//>     %c0_i4_0 = arith.constant 0 : i4
//>     %0:3 = scf.while (%arg2 = %c0_i4, %arg3 = %true, %arg4 = %c0_i4_0) : (i4, i1, i4) -> (i4, i1, i4) {
//>       %1 = arith.index_castui %arg2 : i4 to index
//>       %2 = memref.load %arg0[%1] {sluice.speculated} : memref<10xi8>
//>       %3 = arith.cmpi slt, %2, %c100_i8 : i8
//>       %false = arith.constant false
//>       %4 = arith.select %arg3, %3, %false : i1
//>       %5 = arith.select %arg3, %arg2, %arg4 : i4
//>       %6 = arith.index_castui %arg2 : i4 to index
//>       %7 = memref.load %arg0[%6] {sluice.speculated} : memref<10xi8>
//>       scf.if %4 {
//>         memref.store %7, %arg1[%6] : memref<10xi8>
//>       } {sluice.guard}
//>       %8 = arith.addi %arg2, %c1_i4 : i4
//>       %9 = builtin.unrealized_conversion_cast %arg3 : i1 to i1 {sluice.stale = 3 : i64}
//>       scf.condition(%9) %8, %4, %5 : i4, i1, i4
//>     } do {
//>     ^bb0(%arg2: i4, %arg3: i1, %arg4: i4):
//>       scf.yield %arg2, %arg3, %arg4 : i4, i1, i4
//>     }
//>     return %0#2 : i4
//>   }
//> }
