func.func @kernel_2000212(%v0: memref<8x2xi70>) {
  %v1 = arith.constant 0 : i70
  %v3 = arith.constant 590295810358705651710 : i70
  %v41 = arith.constant 0 : i70
  %v42 = arith.constant 0 : i70
  %v35 = affine.for %v4 = 1 to 3 iter_args(%v5 = %v3) -> (i70) {
    %v6 = affine.load %v0[%v4 * 2 - 2 + 2, 1] : memref<8x2xi70>
    %v39 = arith.constant 0 : i70
    %v40 = arith.constant 0 : i70
    %v34 = affine.for %v7 = 1 to 3 iter_args(%v8 = %v1) -> (i70) {
      %v9 = affine.load %v0[%v7 * 2 - 2 + 2, 1] : memref<8x2xi70>
      %v10 = affine.load %v0[%v7 * 2 - 2 + 3, 0] : memref<8x2xi70>
      %v11 = arith.maxsi %v9, %v6 : i70
      %v38 = arith.constant 0 : index
      %v31, %v32 = affine.for %v12 = 0 to 1 iter_args(%v13 = %v38, %v14 = %v10) -> (index, i70) {
        %v36 = arith.constant 0 : i70
        %v37 = arith.constant 0 : i70
        %v21 = affine.for %v15 = 1 to 3 iter_args(%v16 = %v37) -> (i70) {
          %v17 = affine.load %v0[%v15 * 2 - 2 + 3, 1] : memref<8x2xi70>
          %t3_0 = arith.constant 69 : i70
          %t3_1 = arith.minui %v17, %t3_0 : i70
          %v18 = arith.shrsi %v11, %t3_1 : i70
          affine.store %v18, %v0[4, 1] : memref<8x2xi70>
          %v20 = arith.constant false
          scf.if %v20 {
            affine.store %v36, %v0[%v15 * 2 - 2 + 3, 0] : memref<8x2xi70>
          }
          affine.yield %v14 : i70
        }
        %v29 = arith.constant 0 : index
        %v30 = arith.constant -590295810358705651712 : i70
        affine.yield %v29, %v30 : index, i70
      }
      %v33 = arith.constant true
      scf.if %v33 {
        affine.store %v39, %v0[%v7 * 2 - 2 + 0, 1] : memref<8x2xi70>
      }
      affine.yield %v40 : i70
    }
    affine.store %v41, %v0[%v4 * 2 - 2 + 2, 1] : memref<8x2xi70>
    affine.yield %v42 : i70
  }
  return
}
