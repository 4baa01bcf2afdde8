// passes: if-convert, annotate, narrow, tidy, hoist-from-guards

// Only the access stays under its guard.
func.func @predicated(%a: memref<8xi32>, %n: index, %go: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.for %i = %c0 to %c7 step %c1 {
    scf.if %go {
      %j = arith.addi %i, %c1 : index
      %x = arith.index_cast %j : index to i32
      memref.store %x, %a[%j] : memref<8xi32>
    }
  }
  return
}

//> module {
//>   func.func @predicated(%arg0: memref<8xi32>, %arg1: i64, %arg2: i1) attributes {sluice.dependences = []} {
//>     %c0_i4 = arith.constant 0 : i4
//>     %c7_i4 = arith.constant 7 : i4
//>     %c1_i4 = arith.constant 1 : i4
//>     scf.for %arg3 = %c0_i4 to %c7_i4 step %c1_i4  : i4 {
//>       %0 = arith.trunci %arg3 : i4 to i3
//>       %c1_i3 = arith.constant 1 : i3
//>       %1 = arith.addi %0, %c1_i3 : i3
//>       %2 = arith.extui %1 : i3 to i32
//>       %3 = arith.index_castui %1 : i3 to index
//>       scf.if %arg2 {
//>         memref.store %2, %arg0[%3] {sluice.access = 0 : i64} : memref<8xi32>
//>       } {sluice.guard}
//>     } {sluice.dependences = [], sluice.trip_count = 7 : i64}
//>     return
//>   }
//> }
