// passes: forward

// A load of what was just stored needs no port.
func.func @through(%a: memref<8xi32>, %i: index, %x: i32) -> i32 {
  memref.store %x, %a[%i] : memref<8xi32>
  %y = memref.load %a[%i] : memref<8xi32>
  return %y : i32
}

//> module {
//>   func.func @through(%arg0: memref<8xi32>, %arg1: index, %arg2: i32) -> i32 {
//>     memref.store %arg2, %arg0[%arg1] : memref<8xi32>
//>     return %arg2 : i32
//>   }
//> }
