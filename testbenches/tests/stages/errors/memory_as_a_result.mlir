func.func @other(%a: memref<4xi8>) {
  %m = call @result(%a) : (memref<4xi8>) -> memref<4xi8>
  return
}
func.func @result(%a: memref<4xi8>) -> memref<4xi8> { //~ error: a memref as a result has no port here
  return %a : memref<4xi8>
}
