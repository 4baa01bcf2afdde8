func.func @result(%a: memref<4xi8>) -> memref<4xi8> { //~ error: a memref as a result has no port
  return %a : memref<4xi8>
}
