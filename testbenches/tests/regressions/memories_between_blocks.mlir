// A block whose argument is one memory or another.
func.func @memories_between_blocks(%c: i1, %a: memref<4xi8>, %b: memref<4xi8>, %i: i2) -> i8 {
  %place = arith.index_castui %i : i2 to index
  cf.cond_br %c, ^read(%a : memref<4xi8>), ^read(%b : memref<4xi8>)
^read(%m: memref<4xi8>):
  %x = memref.load %m[%place] : memref<4xi8>
  memref.store %x, %a[%place] : memref<4xi8>
  return %x : i8
}
