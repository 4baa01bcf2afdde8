// As `guarded_first_values`, with two inner loops and stores that alias.
func.func @triangles(%A: memref<5x5xi8>, %x: memref<5xi8>, %s: i8) {
  affine.for %c0 = 0 to 5 {
    affine.for %c1 = affine_map<(o) -> (o)>(%c0) to 5 {
      affine.for %c2 = 0 to 5 {
        %t5 = affine.load %A[%c2, %c0] : memref<5x5xi8>
        %t6 = affine.load %x[%c1] : memref<5xi8>
        %t7 = arith.subi %t5, %t6 : i8
        %t8 = affine.load %x[%c2] : memref<5xi8>
        %t9 = arith.xori %t7, %t8 : i8
        %t10 = arith.addi %t9, %s : i8
        affine.store %t10, %A[%c1, %c1] : memref<5x5xi8>
        %t11 = affine.load %A[%c2, %c1] : memref<5x5xi8>
        %t12 = arith.addi %t11, %s : i8
        affine.store %t12, %A[%c2, %c1] : memref<5x5xi8>
      }
      affine.for %c2 = 0 to 5 {
        %t13 = affine.load %A[%c0, %c2] : memref<5x5xi8>
        %t14 = affine.load %A[%c0, %c0] : memref<5x5xi8>
        %t15 = arith.subi %t13, %t14 : i8
        %t16 = affine.load %A[%c0, %c2] : memref<5x5xi8>
        %t17 = arith.xori %t15, %t16 : i8
        %t18 = arith.addi %t17, %s : i8
        affine.store %t18, %A[%c0, %c2] : memref<5x5xi8>
      }
    }
  }
  return
}

