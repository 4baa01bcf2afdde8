// passes: flatten-memrefs, reuse

// What is read of `%a` stays in two registers, the first values are read in front of the inner loop. The window of `%b` passes on
// what is stored: each sum is read again in the next iteration.
func.func @window(%a: memref<4x8xi16>, %b: memref<4x8xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %c-1 = arith.constant -1 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c1 to %c7 step %c1 {
      %left = arith.addi %j, %c-1 : index
      %right = arith.addi %j, %c1 : index
      %x = memref.load %a[%i, %left] : memref<4x8xi16>
      %y = memref.load %a[%i, %right] : memref<4x8xi16>
      %z = memref.load %b[%i, %left] : memref<4x8xi16>
      %s = arith.addi %x, %y : i16
      %t = arith.addi %s, %z : i16
      memref.store %t, %b[%i, %j] : memref<4x8xi16>
    } {sluice.window = "all"}
  }
  return
}

//> module {
//>   func.func @window(%arg0: memref<32xi16>, %arg1: memref<32xi16>) attributes {sluice.arguments = [{name = "a", shape = array<i64: 4, 8>, type = memref<4x8xi16>, width = 16 : i64}, {name = "b", shape = array<i64: 4, 8>, type = memref<4x8xi16>, width = 16 : i64}], sluice.results = []} {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     %c7 = arith.constant 7 : index
//>     %c8 = arith.constant 8 : index
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       %0 = arith.muli %arg2, %c8 : index
//>       %1 = memref.load %arg0[%0] {sluice.window_of = 0 : i64} : memref<32xi16>
//>       %2 = arith.addi %0, %c1 : index
//>       %3 = memref.load %arg0[%2] {sluice.window_of = 0 : i64} : memref<32xi16>
//>       %4 = memref.load %arg1[%0] {sluice.window_of = 1 : i64} : memref<32xi16>
//>       %5:3 = scf.for %arg3 = %c1 to %c7 step %c1 iter_args(%arg4 = %3, %arg5 = %1, %arg6 = %4) -> (i16, i16, i16) {
//>         %6 = arith.addi %arg3, %c1 : index
//>         %7 = arith.addi %0, %6 : index
//>         %8 = memref.load %arg0[%7] {sluice.window_of = 0 : i64} : memref<32xi16>
//>         %9 = arith.addi %arg5, %8 : i16
//>         %10 = arith.addi %9, %arg6 : i16
//>         %11 = arith.addi %0, %arg3 : index
//>         memref.store %10, %arg1[%11] : memref<32xi16>
//>         scf.yield %8, %arg4, %10 : i16, i16, i16
//>       }
//>     }
//>     return
//>   }
//> }
