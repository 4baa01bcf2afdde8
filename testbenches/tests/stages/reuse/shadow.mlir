// passes: flatten-memrefs, reuse

// All that the second loop reads was stored by the first, a part of it under a condition: the store writes a copy too. The cell of
// a slot is never another one's, so the copy has a slot for each.
func.func @shadow(%a: memref<8xi16>, %b: memref<8xi16>, %n: i16, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    memref.store %n, %a[%i] : memref<8xi16>
    scf.if %p {
      memref.store %n, %a[%i] : memref<8xi16>
    } {sluice.guard}
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %mirrored = arith.subi %c7, %i : index
    %x = memref.load %a[%i] : memref<8xi16>
    %y = memref.load %a[%mirrored] {sluice.copy = 3 : i64} : memref<8xi16>
    %s = arith.addi %x, %y : i16
    memref.store %s, %b[%i] : memref<8xi16>
  }
  return
}

//> module {
//>   func.func @shadow(%arg0: memref<8xi16>, %arg1: memref<8xi16>, %arg2: i16, %arg3: i1) attributes {sluice.arguments = [{name = "a", shape = array<i64: 8>, type = memref<8xi16>, width = 16 : i64}, {name = "b", shape = array<i64: 8>, type = memref<8xi16>, width = 16 : i64}, {name = "n", type = i16, width = 16 : i64}, {name = "p", type = i1, width = 1 : i64}], sluice.results = []} {
//>     %alloca = memref.alloca() : memref<8xi16>
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c7 = arith.constant 7 : index
//>     %c8 = arith.constant 8 : index
//>     scf.for %arg4 = %c0 to %c8 step %c1 {
//>       memref.store %arg2, %arg0[%arg4] : memref<8xi16>
//>       memref.store %arg2, %alloca[%arg4] : memref<8xi16>
//>       scf.if %arg3 {
//>         memref.store %arg2, %arg0[%arg4] : memref<8xi16>
//>       } {sluice.guard}
//>       scf.if %arg3 {
//>         memref.store %arg2, %alloca[%arg4] : memref<8xi16>
//>       } {sluice.guard}
//>     }
//>     scf.for %arg4 = %c0 to %c8 step %c1 {
//>       %0 = arith.subi %c7, %arg4 : index
//>       %1 = memref.load %arg0[%arg4] : memref<8xi16>
//>       %2 = memref.load %alloca[%0] : memref<8xi16>
//>       %3 = arith.addi %1, %2 : i16
//>       memref.store %3, %arg1[%arg4] : memref<8xi16>
//>     }
//>     return
//>   }
//> }
