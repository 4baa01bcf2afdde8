// passes: canonicalise, factor, licm, canonicalise

// Invariant factors are multiplied first, and outside of the loop.
func.func @twice_scaled(%a: memref<8xi32>, %v: i32, %w: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xi32>
    %once = arith.muli %x, %v : i32
    %twice = arith.muli %once, %w : i32
    memref.store %twice, %a[%i] : memref<8xi32>
  }
  return
}

//> module {
//>   func.func @twice_scaled(%arg0: memref<8xi32>, %arg1: i32, %arg2: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     %0 = arith.muli %arg2, %arg1 : i32
//>     scf.for %arg3 = %c0 to %c8 step %c1 {
//>       %1 = memref.load %arg0[%arg3] : memref<8xi32>
//>       %2 = arith.muli %0, %1 : i32
//>       memref.store %2, %arg0[%arg3] : memref<8xi32>
//>     }
//>     return
//>   }
//> }
