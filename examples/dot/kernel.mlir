// Dot product of two vectors, with the running sum carried from iteration to iteration.
func.func @dot(%a: memref<64xi32>, %b: memref<64xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = affine.for %i = 0 to 64 iter_args(%acc = %zero) -> (i32) {
    %left = affine.load %a[%i] : memref<64xi32>
    %right = affine.load %b[%i] : memref<64xi32>
    %product = arith.muli %left, %right : i32
    %next = arith.addi %acc, %product : i32
    affine.yield %next : i32
  }
  return %sum : i32
}
