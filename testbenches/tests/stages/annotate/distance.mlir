// passes: annotate

// The load of an iteration reads what the one three before it stored.
func.func @recurrence(%a: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c13 = arith.constant 13 : index
  scf.for %i = %c0 to %c13 step %c1 {
    %x = memref.load %a[%i] : memref<16xi32>
    %j = arith.addi %i, %c3 : index
    memref.store %x, %a[%j] : memref<16xi32>
  }
  return
}

//> module {
//>   func.func @recurrence(%arg0: memref<16xi32>) attributes {sluice.dependences = []} {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c3 = arith.constant 3 : index
//>     %c13 = arith.constant 13 : index
//>     scf.for %arg1 = %c0 to %c13 step %c1 {
//>       %0 = memref.load %arg0[%arg1] {sluice.access = 0 : i64} : memref<16xi32>
//>       %1 = arith.addi %arg1, %c3 : index
//>       memref.store %0, %arg0[%1] {sluice.access = 1 : i64} : memref<16xi32>
//>     } {sluice.dependences = [array<i64: 1, 0, 3>], sluice.trip_count = 13 : i64}
//>     return
//>   }
//> }
