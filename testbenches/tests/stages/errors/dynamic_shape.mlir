func.func @dynamic(%a: memref<?xi8>) -> i8 { //~ error: argument of a kernel: a memref with a dynamic size has no port: give every dimension a constant size
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c0] : memref<?xi8> //~ error: `memref.load`: a memref with a dynamic size has no port: give every dimension a constant size
  return %x : i8
}
