// config: {keep: [fill], storage: {b: registers}}
func.func private @fill(%m: memref<4xi8>, %x: i8) {
  affine.for %i = 0 to 4 {
    affine.store %x, %m[%i] : memref<4xi8>
  }
  return
}
func.func @kernel(%p: index, %x: i8) -> i8 {
  %b = memref.alloc() : memref<4xi8> //~ error: `b` is passed to `@fill`, a circuit of its own with one read port of a cycle and one write port: `block_ram` fits, or take `fill` out of `keep`
  call @fill(%b, %x) : (memref<4xi8>, i8) -> ()
  %y = memref.load %b[%p] : memref<4xi8>
  return %y : i8
}
