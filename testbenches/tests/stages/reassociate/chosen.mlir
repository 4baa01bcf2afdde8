// passes: float-words, affine-to-scf, canonicalise, if-convert, reassociate, canonicalise

// A sum that is left out under a condition adds negative zero.
func.func @positive(%a: memref<4xf16>) -> f16 {
  %zero = arith.constant 0.0 : f16
  %r = affine.for %i = 0 to 4 iter_args(%acc = %zero) -> (f16) {
    %x = affine.load %a[%i] : memref<4xf16>
    %c = arith.cmpf ogt, %x, %zero : f16
    %s = scf.if %c -> (f16) {
      %t = arith.addf %acc, %x fastmath<reassoc> : f16
      scf.yield %t : f16
    } else {
      scf.yield %acc : f16
    }
    affine.yield %s : f16
  }
  return %r : f16
}

//> module {
//>   func.func @positive(%arg0: memref<4xi16>) -> i16 {
//>     %c0_i16 = arith.constant 0 : i16
//>     %c0 = arith.constant 0 : index
//>     %0 = memref.load %arg0[%c0] : memref<4xi16>
//>     %1 = sluice.float "compare ogt" f16(%0, %c0_i16) : (i16, i16) -> i1
//>     %c-32768_i16 = arith.constant -32768 : i16
//>     %2 = arith.select %1, %0, %c-32768_i16 : i16
//>     %c1 = arith.constant 1 : index
//>     %3 = memref.load %arg0[%c1] : memref<4xi16>
//>     %4 = sluice.float "compare ogt" f16(%3, %c0_i16) : (i16, i16) -> i1
//>     %5 = arith.select %4, %3, %c-32768_i16 : i16
//>     %c2 = arith.constant 2 : index
//>     %6 = memref.load %arg0[%c2] : memref<4xi16>
//>     %7 = sluice.float "compare ogt" f16(%6, %c0_i16) : (i16, i16) -> i1
//>     %8 = arith.select %7, %6, %c-32768_i16 : i16
//>     %c3 = arith.constant 3 : index
//>     %9 = memref.load %arg0[%c3] : memref<4xi16>
//>     %10 = sluice.float "compare ogt" f16(%9, %c0_i16) : (i16, i16) -> i1
//>     %11 = arith.select %10, %9, %c-32768_i16 : i16
//>     %12 = sluice.float "add" f16(%2, %5) {reassoc} : (i16, i16) -> i16
//>     %13 = sluice.float "add" f16(%8, %11) {reassoc} : (i16, i16) -> i16
//>     %14 = sluice.float "add" f16(%12, %13) {reassoc} : (i16, i16) -> i16
//>     %15 = sluice.float "add" f16(%c0_i16, %14) {reassoc} : (i16, i16) -> i16
//>     return %15 : i16
//>   }
//> }
