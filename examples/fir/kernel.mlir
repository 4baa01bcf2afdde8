// A 64-tap finite impulse response filter over 256 output samples:
//   filtered[n] = sum over t of taps[t] * samples[n + 63 - t]
// The first 63 samples are the history before the first output.
func.func @fir(%samples: memref<319xi16>, %taps: memref<64xi16>, %filtered: memref<256xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %n = 0 to 256 {
    %sum = affine.for %t = 0 to 64 iter_args(%acc = %zero) -> (i32) {
      %sample = affine.load %samples[%n - %t + 63] : memref<319xi16>
      %tap = affine.load %taps[%t] : memref<64xi16>
      %sample_wide = arith.extsi %sample : i16 to i32
      %tap_wide = arith.extsi %tap : i16 to i32
      %product = arith.muli %sample_wide, %tap_wide : i32
      %next = arith.addi %acc, %product : i32
      affine.yield %next : i32
    }
    affine.store %sum, %filtered[%n] : memref<256xi32>
  }
  return
}
