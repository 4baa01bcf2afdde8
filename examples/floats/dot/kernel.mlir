// Dot product of two vectors of f32; the sum keeps the order of the source, so it is exact to the last bit.
func.func @dot(%a: memref<16xf32>, %b: memref<16xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %sum = affine.for %i = 0 to 16 iter_args(%acc = %zero) -> (f32) {
    %left = affine.load %a[%i] : memref<16xf32>
    %right = affine.load %b[%i] : memref<16xf32>
    %product = arith.mulf %left, %right : f32
    %next = arith.addf %acc, %product : f32
    affine.yield %next : f32
  }
  return %sum : f32
}
