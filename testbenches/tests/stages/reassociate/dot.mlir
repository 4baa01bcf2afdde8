// passes: float-words, affine-to-scf, reassociate, canonicalise

// Terms of four iterations are added to one another, and then to the carried sum.
func.func @sum(%a: memref<16xf16>) -> f16 {
  %zero = arith.constant 0.0 : f16
  %r = affine.for %i = 0 to 16 iter_args(%acc = %zero) -> (f16) {
    %x = affine.load %a[%i] : memref<16xf16>
    %s = arith.addf %acc, %x fastmath<reassoc> : f16
    affine.yield %s : f16
  }
  return %r : f16
}

//> module {
//>   func.func @sum(%arg0: memref<16xi16>) -> i16 {
//>     %c0_i16 = arith.constant 0 : i16
//>     %c0 = arith.constant 0 : index
//>     %c16 = arith.constant 16 : index
//>     %c4 = arith.constant 4 : index
//>     %0 = scf.for %arg1 = %c0 to %c16 step %c4 iter_args(%arg2 = %c0_i16) -> (i16) {
//>       %1 = memref.load %arg0[%arg1] : memref<16xi16>
//>       %c1 = arith.constant 1 : index
//>       %2 = arith.addi %arg1, %c1 : index
//>       %3 = memref.load %arg0[%2] : memref<16xi16>
//>       %c2 = arith.constant 2 : index
//>       %4 = arith.addi %arg1, %c2 : index
//>       %5 = memref.load %arg0[%4] : memref<16xi16>
//>       %c3 = arith.constant 3 : index
//>       %6 = arith.addi %arg1, %c3 : index
//>       %7 = memref.load %arg0[%6] : memref<16xi16>
//>       %8 = sluice.float "add" f16(%1, %3) {reassoc} : (i16, i16) -> i16
//>       %9 = sluice.float "add" f16(%5, %7) {reassoc} : (i16, i16) -> i16
//>       %10 = sluice.float "add" f16(%8, %9) {reassoc} : (i16, i16) -> i16
//>       %11 = sluice.float "add" f16(%arg2, %10) {reassoc} : (i16, i16) -> i16
//>       scf.yield %11 : i16
//>     }
//>     return %0 : i16
//>   }
//> }
