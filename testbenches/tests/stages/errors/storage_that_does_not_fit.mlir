// config: {storage: {b: rom, c: registers, taps: lut_ram}}
memref.global "private" constant @taps : memref<4xi8> = dense<[1, 2, 3, 4]>
func.func @kinds(%p: index) -> i8 {
  %b = memref.alloc() : memref<4xi8> //~ error: `b` is written and cannot be `rom`, which holds the constants of a `memref.global`: `registers`, `lut_ram` or `block_ram` fit
  %c = memref.alloca() : memref<2x256xi8> //~ error: `c` has 512 words, registers are for 256 at most: `lut_ram` or `block_ram` fit, or banks of 256 words
  %t = memref.get_global @taps : memref<4xi8> //~ error: `t` is a table of constants and cannot be `lut_ram`: `rom` fits
  %zero = arith.constant 0 : index
  %x = memref.load %t[%p] : memref<4xi8>
  memref.store %x, %b[%zero] : memref<4xi8>
  memref.store %x, %c[%zero, %p] : memref<2x256xi8>
  %y = memref.load %b[%p] : memref<4xi8>
  return %y : i8
}
