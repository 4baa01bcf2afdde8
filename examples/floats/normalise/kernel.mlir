// A vector divided by its length, and how many of its elements are then above a half.
func.func @normalise(%x: memref<8xf32>, %y: memref<8xf32>) -> i32 {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %none = arith.constant 0 : i32
  %squares = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> (f32) {
    %value = affine.load %x[%i] : memref<8xf32>
    %square = arith.mulf %value, %value : f32
    %next = arith.addf %acc, %square : f32
    affine.yield %next : f32
  }
  %length = math.sqrt %squares : f32
  %count = affine.for %j = 0 to 8 iter_args(%n = %none) -> (i32) {
    %value = affine.load %x[%j] : memref<8xf32>
    %unit = arith.divf %value, %length : f32
    affine.store %unit, %y[%j] : memref<8xf32>
    %is_large = arith.cmpf ogt, %unit, %half : f32
    %one = arith.extui %is_large : i1 to i32
    %more = arith.addi %n, %one : i32
    affine.yield %more : i32
  }
  return %count : i32
}
