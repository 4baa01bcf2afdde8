// passes: directives, inline-callees, normalise, lower-affine, flatten-memrefs, streams
// config: {style: elastic, streams: [x], depths: {t: 3}}

// Words that are read in the order in which they are written go through a queue, in frames too; what is read twice stays a memory.
func.func @frames(%x: memref<2x4xi8>, %y: memref<8xi8>) {
  %t = memref.alloc() : memref<4xi8>
  %u = memref.alloc() : memref<4xi8>
  affine.for %f = 0 to 2 {
    affine.for %i = 0 to 4 {
      %a = affine.load %x[%f, %i] : memref<2x4xi8>
      affine.store %a, %t[3 - %i] : memref<4xi8>
      affine.store %a, %u[%i] : memref<4xi8>
    }
    affine.for %i = 0 to 4 {
      %a = affine.load %t[3 - %i] : memref<4xi8>
      %b = affine.load %u[%i] : memref<4xi8>
      %c = affine.load %u[0] : memref<4xi8>
      %d = arith.addi %a, %b : i8
      %e = arith.addi %c, %d : i8
      affine.store %e, %y[%f * 4 + %i] : memref<8xi8>
    }
  }
  return
}
