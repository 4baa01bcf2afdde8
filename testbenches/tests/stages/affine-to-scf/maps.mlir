// passes: affine-to-scf

// Maps become index arithmetic, conditions become comparisons.
func.func @maps(%a: memref<4x4xi8>, %n: index) {
  affine.for %i = 0 to 4 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0)[s0] -> (4, s0)>(%i)[%n] {
      affine.if affine_set<(d0, d1) : (d1 - d0 - 1 >= 0)>(%i, %j) {
        %x = affine.load %a[%i, (%j + %i) mod 4] : memref<4x4xi8>
        affine.store %x, %a[%j, %i] : memref<4x4xi8>
      }
    }
  }
  return
}

//> module {
//>   func.func @maps(%arg0: memref<4x4xi8>, %arg1: index) {
//>     %c0 = arith.constant 0 : index
//>     %c4 = arith.constant 4 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       %c4_0 = arith.constant 4 : index
//>       %0 = arith.minsi %c4_0, %arg1 : index
//>       %c1_1 = arith.constant 1 : index
//>       scf.for %arg3 = %arg2 to %0 step %c1_1 {
//>         %c-1 = arith.constant -1 : index
//>         %1 = arith.muli %arg2, %c-1 : index
//>         %2 = arith.addi %arg3, %1 : index
//>         %c-1_2 = arith.constant -1 : index
//>         %3 = arith.addi %2, %c-1_2 : index
//>         %c0_3 = arith.constant 0 : index
//>         %4 = arith.cmpi sge, %3, %c0_3 : index
//>         scf.if %4 {
//>           %5 = arith.addi %arg3, %arg2 : index
//>           %c4_4 = arith.constant 4 : index
//>           %6 = arith.floordivsi %5, %c4_4 : index
//>           %7 = arith.muli %6, %c4_4 : index
//>           %8 = arith.subi %5, %7 : index
//>           %9 = memref.load %arg0[%arg2, %8] : memref<4x4xi8>
//>           memref.store %9, %arg0[%arg3, %arg2] : memref<4x4xi8>
//>         }
//>       }
//>     }
//>     return
//>   }
//> }
