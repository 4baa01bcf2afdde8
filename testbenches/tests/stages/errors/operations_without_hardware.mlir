func.func @all(%a: memref<8x8xi32>, %bytes: memref<64xi8>, %x: i32, %n: index, %tag: memref<1xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %view = memref.view %bytes[%zero][] : memref<64xi8> to memref<4xi32> //~ error: `memref.view` has no hardware yet
  %pointer = memref.extract_aligned_pointer_as_index %a : memref<8x8xi32> -> index //~ error: `memref.extract_aligned_pointer_as_index` has no hardware yet
  memref.dma_start %a[%n, %n], %a[%n, %n], %n, %tag[%n] : memref<8x8xi32>, memref<8x8xi32>, memref<1xi32> //~ error: `memref.dma_start` has no hardware yet
  memref.dma_wait %tag[%n], %n : memref<1xi32> //~ error: `memref.dma_wait` has no hardware yet
  affine.dma_wait %tag[%n], %n : memref<1xi32> //~ error: `affine.dma_wait` has no hardware yet
  affine.for %i = 0 to 8 step 0 { //~ error: a step of 0 never ends
  }
  return %x : i32
}
