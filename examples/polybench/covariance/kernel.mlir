// Covariance of the columns of `data`, which it also centres.
func.func @kernel_covariance(%float_n: i32, %data: memref<8x8xi32>, %cov: memref<8x8xi32>,
                             %mean: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  affine.for %j = 0 to 8 {
    affine.store %zero, %mean[%j] : memref<8xi32>
    affine.for %i = 0 to 8 {
      %old = affine.load %mean[%j] : memref<8xi32>
      %value = affine.load %data[%i, %j] : memref<8x8xi32>
      %new = arith.addi %old, %value : i32
      affine.store %new, %mean[%j] : memref<8xi32>
    }
    %sum = affine.load %mean[%j] : memref<8xi32>
    %average = arith.divsi %sum, %float_n : i32
    affine.store %average, %mean[%j] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %value = affine.load %data[%i, %j] : memref<8x8xi32>
      %average = affine.load %mean[%j] : memref<8xi32>
      %difference = arith.subi %value, %average : i32
      affine.store %difference, %data[%i, %j] : memref<8x8xi32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = affine_map<(i) -> (i)>(%i) to 8 {
      affine.store %zero, %cov[%i, %j] : memref<8x8xi32>
      affine.for %k = 0 to 8 {
        %old = affine.load %cov[%i, %j] : memref<8x8xi32>
        %left = affine.load %data[%k, %i] : memref<8x8xi32>
        %right = affine.load %data[%k, %j] : memref<8x8xi32>
        %product = arith.muli %left, %right : i32
        %new = arith.addi %old, %product : i32
        affine.store %new, %cov[%i, %j] : memref<8x8xi32>
      }
      %sum = affine.load %cov[%i, %j] : memref<8x8xi32>
      %divisor = arith.subi %float_n, %one : i32
      %average = arith.divsi %sum, %divisor : i32
      affine.store %average, %cov[%i, %j] : memref<8x8xi32>
      affine.store %average, %cov[%j, %i] : memref<8x8xi32>
    }
  }
  return
}
