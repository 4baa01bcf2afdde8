// Solves L x = b, with L lower triangular.
func.func @kernel_trisolv(%L: memref<40x40xi32>, %x: memref<40xi32>, %b: memref<40xi32>) {
  affine.for %i = 0 to 40 {
    %b_i = affine.load %b[%i] : memref<40xi32>
    affine.store %b_i, %x[%i] : memref<40xi32>
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      %old = affine.load %x[%i] : memref<40xi32>
      %l = affine.load %L[%i, %j] : memref<40x40xi32>
      %x_j = affine.load %x[%j] : memref<40xi32>
      %product = arith.muli %l, %x_j : i32
      %new = arith.subi %old, %product : i32
      affine.store %new, %x[%i] : memref<40xi32>
    }
    %rest = affine.load %x[%i] : memref<40xi32>
    %pivot = affine.load %L[%i, %i] : memref<40x40xi32>
    %quotient = arith.divsi %rest, %pivot : i32
    affine.store %quotient, %x[%i] : memref<40xi32>
  }
  return
}
