// In one loop, the division would be under a condition and could be no loop itself: this nest stays apart.
func.func @division_that_no_divider_fits(%v51: i8, %v53: memref<8xi31>) {
  %v55 = arith.constant 0 : i8
  %v67 = arith.constant 0 : i31
  %v69 = arith.constant false
  %v96 = arith.constant 0 : i31
  %v97 = arith.constant false
  %v93 = affine.for %v70 = 2 to 6 iter_args(%v71 = %v69) -> (i1) {
    %v72 = affine.load %v53[%v70 - 2 + 2] : memref<8xi31>
    %v73 = affine.load %v53[%v70 - 2 + 2] : memref<8xi31>
    %t53_0 = arith.constant 1 : i8
    %t53_1 = arith.constant 0 : i8
    %t53_2 = arith.cmpi eq, %v51, %t53_1 : i8
    %t53_3 = arith.select %t53_2, %t53_0, %v51 : i8
    %t53_4 = arith.constant -128 : i8
    %t53_5 = arith.constant -1 : i8
    %t53_6 = arith.cmpi eq, %v55, %t53_4 : i8
    %t53_7 = arith.cmpi eq, %v51, %t53_5 : i8
    %t53_8 = arith.andi %t53_6, %t53_7 : i1
    %t53_9 = arith.select %t53_8, %t53_0, %t53_3 : i8
    %v74 = arith.remsi %v55, %t53_9 : i8
    affine.parallel (%v82) = (0) to (8) {
      affine.store %v67, %v53[%v82] : memref<8xi31>
    }
    affine.store %v96, %v53[%v70 - 2 + 4] : memref<8xi31>
    affine.yield %v97 : i1
  }
  return
}
