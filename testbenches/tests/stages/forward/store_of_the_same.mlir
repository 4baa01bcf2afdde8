// passes: forward

// A cell that gets the value that it has is not written: not the one that was read from it, nor the one that was stored last. Behind a store
// that may be to the same cell it is.
func.func @same(%A: memref<8xi32>, %i: index, %j: index, %x: i32) {
  %a = memref.load %A[%i] : memref<8xi32>
  memref.store %a, %A[%i] : memref<8xi32>
  memref.store %x, %A[%j] : memref<8xi32>
  memref.store %x, %A[%j] : memref<8xi32>
  memref.store %a, %A[%i] : memref<8xi32>
  return
}

//> module {
//>   func.func @same(%arg0: memref<8xi32>, %arg1: index, %arg2: index, %arg3: i32) {
//>     %0 = memref.load %arg0[%arg1] : memref<8xi32>
//>     memref.store %arg3, %arg0[%arg2] : memref<8xi32>
//>     memref.store %0, %arg0[%arg1] : memref<8xi32>
//>     return
//>   }
//> }
