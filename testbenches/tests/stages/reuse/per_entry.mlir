// passes: flatten-memrefs, reuse

// The copy holds a row of the plane that the loop around is at: the loop that fills it begins at the plane. No read fills the copy of `%b`,
// which is filled as a whole.
func.func @planes(%a: memref<2x3x4xi16>, %b: memref<4xi16>, %c: memref<2x2x4xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %p = %c0 to %c2 step %c1 {
    scf.for %i = %c0 to %c2 step %c1 {
      %below = arith.addi %i, %c1 : index
      scf.for %j = %c0 to %c4 step %c1 {
        %mirrored = arith.subi %c3, %j : index
        %x = memref.load %a[%p, %i, %j] {sluice.copy = 0 : i64} : memref<2x3x4xi16>
        %y = memref.load %a[%p, %below, %j] : memref<2x3x4xi16>
        %z = memref.load %b[%j] : memref<4xi16>
        %w = memref.load %b[%mirrored] {sluice.copy = 1 : i64} : memref<4xi16>
        %s = arith.addi %x, %y : i16
        %t = arith.addi %z, %w : i16
        %u = arith.addi %s, %t : i16
        memref.store %u, %c[%p, %i, %j] : memref<2x2x4xi16>
      }
    } {sluice.fill = array<i64: 0>}
  } {sluice.fill_whole = array<i64: 1>}
  return
}

//> module {
//>   func.func @planes(%arg0: memref<24xi16>, %arg1: memref<4xi16>, %arg2: memref<16xi16>) attributes {sluice.arguments = [{name = "a", shape = array<i64: 2, 3, 4>, type = memref<2x3x4xi16>, width = 16 : i64}, {name = "b", shape = array<i64: 4>, type = memref<4xi16>, width = 16 : i64}, {name = "c", shape = array<i64: 2, 2, 4>, type = memref<2x2x4xi16>, width = 16 : i64}], sluice.results = []} {
//>     %alloca = memref.alloca() : memref<4xi16>
//>     %alloca_0 = memref.alloca() : memref<4xi16>
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c2 = arith.constant 2 : index
//>     %c3 = arith.constant 3 : index
//>     %c4 = arith.constant 4 : index
//>     scf.for %arg3 = %c0 to %c4 step %c1 {
//>       %0 = memref.load %arg1[%arg3] : memref<4xi16>
//>       memref.store %0, %alloca[%arg3] : memref<4xi16>
//>     }
//>     %c12 = arith.constant 12 : index
//>     %c8 = arith.constant 8 : index
//>     scf.for %arg3 = %c0 to %c2 step %c1 {
//>       %0 = arith.muli %arg3, %c12 : index
//>       scf.for %arg4 = %c0 to %c4 step %c1 {
//>         %2 = arith.addi %0, %arg4 : index
//>         %3 = memref.load %arg0[%2] : memref<24xi16>
//>         %4 = arith.andi %2, %c3 : index
//>         memref.store %3, %alloca_0[%4] : memref<4xi16>
//>       }
//>       %1 = arith.muli %arg3, %c8 : index
//>       scf.for %arg4 = %c0 to %c2 step %c1 {
//>         %2 = arith.addi %arg4, %c1 : index
//>         %3 = arith.muli %arg4, %c4 : index
//>         %4 = arith.addi %0, %3 : index
//>         %5 = arith.muli %2, %c4 : index
//>         %6 = arith.addi %0, %5 : index
//>         %7 = arith.addi %1, %3 : index
//>         scf.for %arg5 = %c0 to %c4 step %c1 {
//>           %8 = arith.subi %c3, %arg5 : index
//>           %9 = arith.addi %4, %arg5 : index
//>           %10 = arith.andi %9, %c3 : index
//>           %11 = memref.load %alloca_0[%10] : memref<4xi16>
//>           %12 = arith.addi %6, %arg5 : index
//>           %13 = arith.andi %12, %c3 : index
//>           %14 = memref.load %arg0[%12] : memref<24xi16>
//>           memref.store %14, %alloca_0[%13] : memref<4xi16>
//>           %15 = memref.load %arg1[%arg5] : memref<4xi16>
//>           %16 = memref.load %alloca[%8] : memref<4xi16>
//>           %17 = arith.addi %11, %14 : i16
//>           %18 = arith.addi %15, %16 : i16
//>           %19 = arith.addi %17, %18 : i16
//>           %20 = arith.addi %7, %arg5 : index
//>           memref.store %19, %arg2[%20] : memref<16xi16>
//>         }
//>       }
//>     }
//>     return
//>   }
//> }
