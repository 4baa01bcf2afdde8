// passes: annotate

// The inner loop is entered eight times, once without an iteration; `x[i]` is no cell that it reads.
func.func @triangle(%x: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %i step %c1 {
      %v = memref.load %x[%j] : memref<8xi32>
      memref.store %v, %x[%i] : memref<8xi32>
    }
  }
  return
}

//> module {
//>   func.func @triangle(%arg0: memref<8xi32>) attributes {sluice.dependences = []} {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     scf.for %arg1 = %c0 to %c8 step %c1 {
//>       scf.for %arg2 = %c0 to %arg1 step %c1 {
//>         %0 = memref.load %arg0[%arg2] {sluice.access = 0 : i64} : memref<8xi32>
//>         memref.store %0, %arg0[%arg1] {sluice.access = 1 : i64} : memref<8xi32>
//>       } {sluice.dependences = [array<i64: 1, 1, 1>], sluice.empty_entries = 1 : i64, sluice.entries = 8 : i64, sluice.iterations = 28 : i64}
//>     } {sluice.dependences = [], sluice.empty_entries = 0 : i64, sluice.entries = 1 : i64, sluice.iterations = 8 : i64, sluice.trip_count = 8 : i64}
//>     return
//>   }
//> }
