// Two layers of a neural network: eight inputs, sixteen hidden neurons with the hyperbolic tangent, four outputs.
func.func @perceptron(%x: memref<8xf32>, %w: memref<16x8xf32>, %v: memref<4x16xf32>, %y: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %hidden = memref.alloc() : memref<16xf32>
  affine.for %i = 0 to 16 {
    %sum = affine.for %j = 0 to 8 iter_args(%acc = %zero) -> (f32) {
      %weight = affine.load %w[%i, %j] : memref<16x8xf32>
      %input = affine.load %x[%j] : memref<8xf32>
      %product = arith.mulf %weight, %input : f32
      %next = arith.addf %acc, %product : f32
      affine.yield %next : f32
    }
    %active = math.tanh %sum : f32
    affine.store %active, %hidden[%i] : memref<16xf32>
  }
  affine.for %i = 0 to 4 {
    %sum = affine.for %j = 0 to 16 iter_args(%acc = %zero) -> (f32) {
      %weight = affine.load %v[%i, %j] : memref<4x16xf32>
      %input = affine.load %hidden[%j] : memref<16xf32>
      %product = arith.mulf %weight, %input : f32
      %next = arith.addf %acc, %product : f32
      affine.yield %next : f32
    }
    affine.store %sum, %y[%i] : memref<4xf32>
  }
  return
}
