// x1 := x1 + A y1, x2 := x2 + A^T y2.
func.func @kernel_mvt(%x1: memref<40xi32>, %x2: memref<40xi32>, %y1: memref<40xi32>, %y2: memref<40xi32>,
                      %A: memref<40x40xi32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %old = affine.load %x1[%i] : memref<40xi32>
      %a = affine.load %A[%i, %j] : memref<40x40xi32>
      %y = affine.load %y1[%j] : memref<40xi32>
      %product = arith.muli %a, %y : i32
      %new = arith.addi %old, %product : i32
      affine.store %new, %x1[%i] : memref<40xi32>
    }
  }
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to 40 {
      %old = affine.load %x2[%i] : memref<40xi32>
      %a = affine.load %A[%j, %i] : memref<40x40xi32>
      %y = affine.load %y2[%j] : memref<40xi32>
      %product = arith.muli %a, %y : i32
      %new = arith.addi %old, %product : i32
      affine.store %new, %x2[%i] : memref<40xi32>
    }
  }
  return
}
