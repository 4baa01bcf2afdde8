// passes: merge-branches, forward

// One load in front, one store of the chosen value behind; the second load of the same cell needs no port.
func.func @choose(%a: memref<8xi32>, %i: index, %c: i1, %x: i32) {
  scf.if %c {
    %v = memref.load %a[%i] : memref<8xi32>
    %w = arith.addi %v, %x : i32
    memref.store %w, %a[%i] : memref<8xi32>
  } else {
    %v = memref.load %a[%i] : memref<8xi32>
    %w = arith.subi %v, %x : i32
    memref.store %w, %a[%i] : memref<8xi32>
  }
  return
}

//> module {
//>   func.func @choose(%arg0: memref<8xi32>, %arg1: index, %arg2: i1, %arg3: i32) {
//>     %0 = memref.load %arg0[%arg1] : memref<8xi32>
//>     %1 = scf.if %arg2 -> (i32) {
//>       %2 = arith.addi %0, %arg3 : i32
//>       scf.yield %2 : i32
//>     } else {
//>       %2 = arith.subi %0, %arg3 : i32
//>       scf.yield %2 : i32
//>     }
//>     memref.store %1, %arg0[%arg1] : memref<8xi32>
//>     return
//>   }
//> }
