// A filter of four taps on numbers with a fraction of eight digits.
func.func @filter(%x: memref<64xi16>, %h: memref<4xi16>, %y: memref<61xi16>) {
  affine.for %i = 0 to 61 {
    %zero = arith.constant 0 : i16
    %sum = affine.for %j = 0 to 4 iter_args(%acc = %zero) -> (i16) {
      %a = affine.load %x[%i + %j] : memref<64xi16>
      %b = affine.load %h[%j] : memref<4xi16>
      %p = fixed.mul %a, %b as <16, 8, to_even> : i16
      %next = fixed.add %acc, %p : i16
      affine.yield %next : i16
    }
    %low = fixed.constant -20000 : i16
    %high = fixed.constant 20000 : i16
    %kept = fixed.clamp %sum in [%low to %high] : i16
    affine.store %kept, %y[%i] : memref<61xi16>
  }
  return
}
