// Scales a vector with saturation and adds up the result: three functions calling each other in a chain.

// Clamps a 32-bit value to the range of 16 bits.
func.func private @saturate(%value: i32) -> i16 {
  %lowest = arith.constant -32768 : i32
  %highest = arith.constant 32767 : i32
  %not_below = arith.maxsi %value, %lowest : i32
  %clamped = arith.minsi %not_below, %highest : i32
  %narrow = arith.trunci %clamped : i32 to i16
  return %narrow : i16
}

// scaled[i] = saturate((source[i] * gain) >> 8): the gain has eight fractional bits.
func.func private @scale(%source: memref<64xi16>, %gain: i16, %scaled: memref<64xi16>) {
  %fraction_bits = arith.constant 8 : i32
  %gain_wide = arith.extsi %gain : i16 to i32
  affine.for %i = 0 to 64 {
    %element = affine.load %source[%i] : memref<64xi16>
    %element_wide = arith.extsi %element : i16 to i32
    %product = arith.muli %element_wide, %gain_wide : i32
    %rescaled = arith.shrsi %product, %fraction_bits : i32
    %narrow = func.call @saturate(%rescaled) : (i32) -> i16
    affine.store %narrow, %scaled[%i] : memref<64xi16>
  }
  return
}

// The kernel: scales the source and returns the sum of what came out.
func.func @chain(%source: memref<64xi16>, %gain: i16, %scaled: memref<64xi16>) -> i32 {
  %zero = arith.constant 0 : i32
  call @scale(%source, %gain, %scaled) : (memref<64xi16>, i16, memref<64xi16>) -> ()
  %total = affine.for %i = 0 to 64 iter_args(%acc = %zero) -> (i32) {
    %element = affine.load %scaled[%i] : memref<64xi16>
    %element_wide = arith.extsi %element : i16 to i32
    %sum = arith.addi %acc, %element_wide : i32
    affine.yield %sum : i32
  }
  return %total : i32
}
