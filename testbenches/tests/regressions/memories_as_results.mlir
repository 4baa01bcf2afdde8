// What is allocated and returned is an argument; what is chosen, or an argument itself, is copied to one.
func.func @memories_as_results(%a: memref<6xi16>, %p: i1) -> (memref<6xi16>, i16, memref<6xi16>, memref<2x3xi16>) {
  %c0 = arith.constant 0 : index
  %sum = memref.alloc() : memref<6xi16>
  %other = memref.alloc() : memref<2x3xi16>
  affine.for %i = 0 to 6 {
    %x = affine.load %a[%i] : memref<6xi16>
    %y = arith.addi %x, %x : i16
    affine.store %y, %sum[%i] : memref<6xi16>
    affine.store %x, %other[%i floordiv 3, %i mod 3] : memref<2x3xi16>
  }
  cf.cond_br %p, ^early, ^late
^early:
  %first = memref.load %sum[%c0] : memref<6xi16>
  return %sum, %first, %a, %other : memref<6xi16>, i16, memref<6xi16>, memref<2x3xi16>
^late:
  %x = memref.load %a[%c0] : memref<6xi16>
  return %sum, %x, %sum, %other : memref<6xi16>, i16, memref<6xi16>, memref<2x3xi16>
}
