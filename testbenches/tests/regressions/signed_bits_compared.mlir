// Signed numbers of one bit, compared on a device whose carry chains take any number of bits.
func.func @signed_bits_compared(%v31: i1) {
  %v91 = arith.constant false
  %v33 = memref.alloc() : memref<6x6xi1>
  affine.for %t21_0 = 0 to 6 {
    affine.for %t21_1 = 0 to 6 {
      affine.store %v91, %v33[%t21_0, %t21_1] : memref<6x6xi1>
    }
  }
  %v90 = arith.constant false
  %v51 = memref.alloca() : memref<1xi1>
  affine.for %t34_0 = 0 to 1 {
    affine.store %v90, %v51[%t34_0] : memref<1xi1>
  }
  affine.for %v52 = 2 to 4 {
    %v53 = affine.load %v33[%v52 - 2 + 1, 2] : memref<6x6xi1>
    %v54 = affine.load %v33[%v52 - 2 + 0, 0] : memref<6x6xi1>
    %v55 = arith.cmpi slt, %v53, %v54 : i1
    %v59 = arith.muli %v31, %v55 : i1
    scf.if %v31 {
      affine.store %v59, %v33[%v52 - 2 + 3, 1] : memref<6x6xi1>
    }
  }
  return
}
