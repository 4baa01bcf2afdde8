// 64 outputs of a filter with 8 taps: filtered[i] is the sum of samples[i + t] taps[t].
func.func @fir_8_taps(%samples: memref<71xi32>, %taps: memref<8xi32>, %filtered: memref<64xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 64 {
    %total = affine.for %t = 0 to 8 iter_args(%partial = %zero) -> (i32) {
      %sample = affine.load %samples[%i + %t] : memref<71xi32>
      %tap = affine.load %taps[%t] : memref<8xi32>
      %product = arith.muli %sample, %tap : i32
      %next = arith.addi %partial, %product : i32
      affine.yield %next : i32
    }
    affine.store %total, %filtered[%i] : memref<64xi32>
  }
  return
}
