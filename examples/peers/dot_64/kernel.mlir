// Inner product of two vectors.
func.func @dot_64(%a: memref<64xi32>, %b: memref<64xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %total = affine.for %i = 0 to 64 iter_args(%partial = %zero) -> (i32) {
    %left = affine.load %a[%i] : memref<64xi32>
    %right = affine.load %b[%i] : memref<64xi32>
    %product = arith.muli %left, %right : i32
    %next = arith.addi %partial, %product : i32
    affine.yield %next : i32
  }
  return %total : i32
}
