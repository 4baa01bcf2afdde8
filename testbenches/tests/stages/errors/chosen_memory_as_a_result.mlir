func.func @given(%a: memref<4xi8>, %b: memref<4xi8>, %p: i1) -> memref<4xi8> { //~ error: a memref as a result has no port
  %m = arith.select %p, %a, %b : memref<4xi8> //~ error: `arith.select` of memrefs has no hardware
  return %m : memref<4xi8>
}
