// passes: flatten-memrefs, reuse

// The row above was read one row ago: eight words hold it, and a loop in front reads the first row.
func.func @rows(%a: memref<5x8xi16>, %b: memref<4x8xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %below = arith.addi %i, %c1 : index
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %a[%i, %j] {sluice.copy = 0 : i64} : memref<5x8xi16>
      %y = memref.load %a[%below, %j] : memref<5x8xi16>
      %s = arith.addi %x, %y : i16
      memref.store %s, %b[%i, %j] : memref<4x8xi16>
    }
  } {sluice.fill = array<i64: 0>}
  return
}

//> module {
//>   func.func @rows(%arg0: memref<40xi16>, %arg1: memref<32xi16>) attributes {sluice.arguments = [{name = "a", shape = array<i64: 5, 8>, type = memref<5x8xi16>, width = 16 : i64}, {name = "b", shape = array<i64: 4, 8>, type = memref<4x8xi16>, width = 16 : i64}], sluice.results = []} {
//>     %alloca = memref.alloca() : memref<8xi16>
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     %c8 = arith.constant 8 : index
//>     scf.for %arg2 = %c0 to %c8 step %c1 {
//>       %0 = memref.load %arg0[%arg2] : memref<40xi16>
//>       memref.store %0, %alloca[%arg2] : memref<8xi16>
//>     }
//>     %c7 = arith.constant 7 : index
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       %0 = arith.addi %arg2, %c1 : index
//>       %1 = arith.muli %arg2, %c8 : index
//>       %2 = arith.muli %0, %c8 : index
//>       scf.for %arg3 = %c0 to %c8 step %c1 {
//>         %3 = arith.addi %1, %arg3 : index
//>         %4 = arith.andi %3, %c7 : index
//>         %5 = memref.load %alloca[%4] : memref<8xi16>
//>         %6 = arith.addi %2, %arg3 : index
//>         %7 = arith.andi %6, %c7 : index
//>         %8 = memref.load %arg0[%6] : memref<40xi16>
//>         memref.store %8, %alloca[%7] : memref<8xi16>
//>         %9 = arith.addi %5, %8 : i16
//>         memref.store %9, %arg1[%3] : memref<32xi16>
//>       }
//>     }
//>     return
//>   }
//> }
