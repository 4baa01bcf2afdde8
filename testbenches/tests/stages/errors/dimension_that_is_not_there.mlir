func.func @dimensions(%a: memref<4xi8>, %i: index) -> (index, index) {
  %two = arith.constant 2 : index
  %third = memref.dim %a, %two : memref<4xi8> //~ error: `memref.dim` of a dimension that is not known: give it a constant dimension that the memref has
  %any = memref.dim %a, %i : memref<4xi8> //~ error: `memref.dim` of a dimension that is not known
  return %third, %any : index, index
}
