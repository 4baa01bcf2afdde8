// Probabilities in proportion to the exponentials of the scores. The largest score is subtracted first, so that nothing overflows.
func.func @softmax(%scores: memref<16xf32>, %weights: memref<16xf32>) {
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %largest = affine.for %i = 0 to 16 iter_args(%most = %lowest) -> (f32) {
    %score = affine.load %scores[%i] : memref<16xf32>
    %next = arith.maximumf %most, %score : f32
    affine.yield %next : f32
  }
  %sum = affine.for %i = 0 to 16 iter_args(%acc = %zero) -> (f32) {
    %score = affine.load %scores[%i] : memref<16xf32>
    %below = arith.subf %score, %largest : f32
    %power = math.exp %below : f32
    affine.store %power, %weights[%i] : memref<16xf32>
    %next = arith.addf %acc, %power : f32
    affine.yield %next : f32
  }
  %inverse = arith.divf %one, %sum : f32
  affine.for %i = 0 to 16 {
    %power = affine.load %weights[%i] : memref<16xf32>
    %weight = arith.mulf %power, %inverse : f32
    affine.store %weight, %weights[%i] : memref<16xf32>
  }
  return
}
