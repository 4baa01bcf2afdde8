// config: {reuse: {choose: auto, most_bits: 64}}

func.func @large(%a: memref<8xi16>, %b: memref<8xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] {sluice.copy = 0 : i64} : memref<8xi16> //~ error: this cannot be read from a copy: a copy of 8 words of 16 bits has more than 64 bits: allow more with `reuse: {most_bits: 128}`
    memref.store %x, %b[%i] : memref<8xi16>
  } {sluice.fill = array<i64: 0>}
  return
}
