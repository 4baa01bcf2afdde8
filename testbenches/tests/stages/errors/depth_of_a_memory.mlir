// config: {style: elastic, depths: {t: 4}}
func.func @turned(%x: memref<8xi32>, %y: memref<8xi32>) {
  %t = memref.alloc() : memref<8xi32>
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xi32>
    affine.store %a, %t[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %a = affine.load %t[7 - %i] : memref<8xi32> //~ error: `t` is a memory and no queue, so it has no depth: read number 0 (from 0) is of word 7, which write number 7 wrote; words that are read once each, in the order in which they are written, would fit
    affine.store %a, %y[%i] : memref<8xi32>
  }
  return
}
