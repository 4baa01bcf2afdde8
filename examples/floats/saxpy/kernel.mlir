// y = a * x + y with one rounding of each element (fused multiply and add).
func.func @saxpy(%a: f32, %x: memref<16xf32>, %y: memref<16xf32>) {
  affine.for %i = 0 to 16 {
    %left = affine.load %x[%i] : memref<16xf32>
    %right = affine.load %y[%i] : memref<16xf32>
    %sum = math.fma %a, %left, %right : f32
    affine.store %sum, %y[%i] : memref<16xf32>
  }
  return
}
