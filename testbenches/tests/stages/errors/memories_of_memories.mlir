func.func @nested(%a: memref<4xmemref<8xi8>>, %x: i8) -> i8 { //~ error: a memref of memrefs has no hardware: pass each memory as an argument
  return %x : i8
}
