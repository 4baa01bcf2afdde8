// One output of a filter with 1000 taps, the samples read backwards.
func.func @fir_1000(%samples: memref<1000xi32>, %taps: memref<1000xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %total = affine.for %i = 0 to 1000 iter_args(%partial = %zero) -> (i32) {
    %tap = affine.load %taps[%i] : memref<1000xi32>
    %sample = affine.load %samples[999 - %i] : memref<1000xi32>
    %product = arith.muli %tap, %sample : i32
    %next = arith.addi %partial, %product : i32
    affine.yield %next : i32
  }
  return %total : i32
}
