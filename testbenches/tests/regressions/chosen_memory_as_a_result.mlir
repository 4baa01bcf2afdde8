func.func @chosen_memory_as_a_result(%a: memref<4xi8>, %b: memref<4xi8>, %p: i1) -> memref<4xi8> {
  %m = arith.select %p, %a, %b : memref<4xi8>
  return %m : memref<4xi8>
}
