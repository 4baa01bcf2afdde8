func.func @choice(%c: i1, %a: memref<4xi8>, %b: memref<4xi8>) -> i8 {
  %zero = arith.constant 0 : index
  %m = arith.select %c, %a, %b : memref<4xi8> //~ error: choose between the values that are loaded or stored
  %x = memref.load %m[%zero] : memref<4xi8>
  return %x : i8
}
