// passes: loop-invariant-code-motion

// What no iteration changes is computed once, in front of the loop.
func.func @scale(%a: memref<8xi32>, %x: i32, %y: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %p = arith.muli %x, %y : i32
    %v = memref.load %a[%i] : memref<8xi32>
    %w = arith.addi %v, %p : i32
    memref.store %w, %a[%i] : memref<8xi32>
  }
  return
}

//> module {
//>   func.func @scale(%arg0: memref<8xi32>, %arg1: i32, %arg2: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     %0 = arith.muli %arg1, %arg2 : i32
//>     scf.for %arg3 = %c0 to %c8 step %c1 {
//>       %1 = memref.load %arg0[%arg3] : memref<8xi32>
//>       %2 = arith.addi %1, %0 : i32
//>       memref.store %2, %arg0[%arg3] : memref<8xi32>
//>     }
//>     return
//>   }
//> }
