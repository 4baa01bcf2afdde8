// passes: canonicalise, promote, canonicalise

// A cell that every iteration reads and writes is carried by the loop.
func.func @accumulate(%a: memref<8xi32>, %c: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %old = memref.load %c[%c0] : memref<1xi32>
    %x = memref.load %a[%i] : memref<8xi32>
    %new = arith.addi %old, %x : i32
    memref.store %new, %c[%c0] : memref<1xi32>
  }
  return
}

//> module {
//>   func.func @accumulate(%arg0: memref<8xi32>, %arg1: memref<1xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     %0 = memref.load %arg1[%c0] : memref<1xi32>
//>     %1 = scf.for %arg2 = %c0 to %c8 step %c1 iter_args(%arg3 = %0) -> (i32) {
//>       %2 = memref.load %arg0[%arg2] : memref<8xi32>
//>       %3 = arith.addi %arg3, %2 : i32
//>       scf.yield %3 : i32
//>     }
//>     memref.store %1, %arg1[%c0] : memref<1xi32>
//>     return
//>   }
//> }
