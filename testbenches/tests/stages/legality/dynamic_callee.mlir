// passes: inline-callees, normalise, legality

// A callee for any size is compiled for the size it is called with.
func.func private @last(%a: memref<?xi8>) -> i8 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %size = memref.dim %a, %zero : memref<?xi8>
  %i = arith.subi %size, %one : index
  %x = memref.load %a[%i] : memref<?xi8>
  return %x : i8
}
func.func @kernel(%a: memref<8xi8>) -> i8 {
  %any = memref.cast %a : memref<8xi8> to memref<?xi8>
  %x = func.call @last(%any) : (memref<?xi8>) -> i8
  return %x : i8
}

//> module {
//>   func.func @kernel(%arg0: memref<8xi8>) -> i8 {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     %0 = arith.subi %c8, %c1 : index
//>     %1 = memref.load %arg0[%0] : memref<8xi8>
//>     return %1 : i8
//>   }
//> }
