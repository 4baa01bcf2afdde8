// passes: if-convert

// Values of both branches are computed, the condition selects; stores keep a guard.
func.func @clip(%a: memref<8xi32>, %limit: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xi32>
    %over = arith.cmpi sgt, %x, %limit : i32
    scf.if %over {
      %d = arith.subi %x, %limit : i32
      memref.store %d, %a[%i] : memref<8xi32>
    }
  }
  return
}

//> module {
//>   func.func @clip(%arg0: memref<8xi32>, %arg1: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     scf.for %arg2 = %c0 to %c8 step %c1 {
//>       %0 = memref.load %arg0[%arg2] : memref<8xi32>
//>       %1 = arith.cmpi sgt, %0, %arg1 : i32
//>       %2 = arith.subi %0, %arg1 : i32
//>       scf.if %1 {
//>         memref.store %2, %arg0[%arg2] : memref<8xi32>
//>       } {sluice.guard}
//>     }
//>     return
//>   }
//> }
