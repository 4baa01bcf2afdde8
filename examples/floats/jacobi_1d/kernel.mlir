// A mean of three neighbours, in f64.
func.func @jacobi_1d(%x: memref<16xf64>, %y: memref<16xf64>) {
  %third = arith.constant 0.33333 : f64
  affine.for %i = 1 to 15 {
    %left = affine.load %x[%i - 1] : memref<16xf64>
    %here = affine.load %x[%i] : memref<16xf64>
    %right = affine.load %x[%i + 1] : memref<16xf64>
    %some = arith.addf %left, %here : f64
    %all = arith.addf %some, %right : f64
    %mean = arith.mulf %third, %all : f64
    affine.store %mean, %y[%i] : memref<16xf64>
  }
  return
}
