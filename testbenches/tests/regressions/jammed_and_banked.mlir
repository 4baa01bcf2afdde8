// Copies and banks as asked; y := A^T (A x).
func.func @jammed_and_banked(%A: memref<6x8xi32>, %x: memref<8xi32>, %y: memref<8xi32>, %tmp: memref<6xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    affine.store %zero, %y[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 6 {
    affine.store %zero, %tmp[%i] : memref<6xi32>
    affine.for %j = 0 to 8 {
      %old = affine.load %tmp[%i] : memref<6xi32>
      %a = affine.load %A[%i, %j] : memref<6x8xi32>
      %element = affine.load %x[%j] : memref<8xi32>
      %product = arith.muli %a, %element : i32
      %new = arith.addi %old, %product : i32
      affine.store %new, %tmp[%i] : memref<6xi32>
    }
    affine.for %j = 0 to 8 {
      %old = affine.load %y[%j] : memref<8xi32>
      %a = affine.load %A[%i, %j] : memref<6x8xi32>
      %t = affine.load %tmp[%i] : memref<6xi32>
      %product = arith.muli %a, %t : i32
      %new = arith.addi %old, %product : i32
      affine.store %new, %y[%j] : memref<8xi32>
    }
  }
  return
}
