func.func @passed(%c: i1, %a: memref<4xi8>, %b: memref<4xi8>, %i: index) -> i8 {
  cf.cond_br %c, ^read(%a : memref<4xi8>), ^read(%b : memref<4xi8>)
^read(%m: memref<4xi8>): //~ error: a memref as an argument of a block has no hardware: choose between the values that are loaded or stored
  %x = memref.load %m[%i] : memref<4xi8>
  return %x : i8
}
