// passes: float-words, affine-to-scf, reassociate, canonicalise

// Each copy has a sum of its own. Iterations that are left are a loop of their own.
func.func @fused(%a: memref<23xf16>, %b: memref<23xf16>) -> f16 {
  %zero = arith.constant 0.0 : f16
  %r = affine.for %i = 0 to 23 iter_args(%acc = %zero) -> (f16) {
    %x = affine.load %a[%i] : memref<23xf16>
    %y = affine.load %b[%i] : memref<23xf16>
    %s = math.fma %x, %y, %acc fastmath<reassoc> : f16
    affine.yield %s : f16
  }
  return %r : f16
}

//> module {
//>   func.func @fused(%arg0: memref<23xi16>, %arg1: memref<23xi16>) -> i16 {
//>     %c0_i16 = arith.constant 0 : i16
//>     %c0 = arith.constant 0 : index
//>     %c21 = arith.constant 21 : index
//>     %c7 = arith.constant 7 : index
//>     %c-32768_i16 = arith.constant -32768 : i16
//>     %0:7 = scf.for %arg2 = %c0 to %c21 step %c7 iter_args(%arg3 = %c0_i16, %arg4 = %c-32768_i16, %arg5 = %c-32768_i16, %arg6 = %c-32768_i16, %arg7 = %c-32768_i16, %arg8 = %c-32768_i16, %arg9 = %c-32768_i16) -> (i16, i16, i16, i16, i16, i16, i16) {
//>       %13 = memref.load %arg0[%arg2] : memref<23xi16>
//>       %14 = memref.load %arg1[%arg2] : memref<23xi16>
//>       %15 = sluice.float "fma" f16(%13, %14, %arg3) {reassoc} : (i16, i16, i16) -> i16
//>       %c1 = arith.constant 1 : index
//>       %16 = arith.addi %arg2, %c1 : index
//>       %17 = memref.load %arg0[%16] : memref<23xi16>
//>       %18 = memref.load %arg1[%16] : memref<23xi16>
//>       %19 = sluice.float "fma" f16(%17, %18, %arg4) {reassoc} : (i16, i16, i16) -> i16
//>       %c2 = arith.constant 2 : index
//>       %20 = arith.addi %arg2, %c2 : index
//>       %21 = memref.load %arg0[%20] : memref<23xi16>
//>       %22 = memref.load %arg1[%20] : memref<23xi16>
//>       %23 = sluice.float "fma" f16(%21, %22, %arg5) {reassoc} : (i16, i16, i16) -> i16
//>       %c3 = arith.constant 3 : index
//>       %24 = arith.addi %arg2, %c3 : index
//>       %25 = memref.load %arg0[%24] : memref<23xi16>
//>       %26 = memref.load %arg1[%24] : memref<23xi16>
//>       %27 = sluice.float "fma" f16(%25, %26, %arg6) {reassoc} : (i16, i16, i16) -> i16
//>       %c4 = arith.constant 4 : index
//>       %28 = arith.addi %arg2, %c4 : index
//>       %29 = memref.load %arg0[%28] : memref<23xi16>
//>       %30 = memref.load %arg1[%28] : memref<23xi16>
//>       %31 = sluice.float "fma" f16(%29, %30, %arg7) {reassoc} : (i16, i16, i16) -> i16
//>       %c5 = arith.constant 5 : index
//>       %32 = arith.addi %arg2, %c5 : index
//>       %33 = memref.load %arg0[%32] : memref<23xi16>
//>       %34 = memref.load %arg1[%32] : memref<23xi16>
//>       %35 = sluice.float "fma" f16(%33, %34, %arg8) {reassoc} : (i16, i16, i16) -> i16
//>       %c6 = arith.constant 6 : index
//>       %36 = arith.addi %arg2, %c6 : index
//>       %37 = memref.load %arg0[%36] : memref<23xi16>
//>       %38 = memref.load %arg1[%36] : memref<23xi16>
//>       %39 = sluice.float "fma" f16(%37, %38, %arg9) {reassoc} : (i16, i16, i16) -> i16
//>       scf.yield %15, %19, %23, %27, %31, %35, %39 : i16, i16, i16, i16, i16, i16, i16
//>     }
//>     %1 = sluice.float "add" f16(%0#0, %0#1) {reassoc} : (i16, i16) -> i16
//>     %2 = sluice.float "add" f16(%0#2, %0#3) {reassoc} : (i16, i16) -> i16
//>     %3 = sluice.float "add" f16(%0#4, %0#5) {reassoc} : (i16, i16) -> i16
//>     %4 = sluice.float "add" f16(%1, %2) {reassoc} : (i16, i16) -> i16
//>     %5 = sluice.float "add" f16(%3, %0#6) {reassoc} : (i16, i16) -> i16
//>     %6 = sluice.float "add" f16(%4, %5) {reassoc} : (i16, i16) -> i16
//>     %7 = memref.load %arg0[%c21] : memref<23xi16>
//>     %8 = memref.load %arg1[%c21] : memref<23xi16>
//>     %9 = sluice.float "fma" f16(%7, %8, %6) {reassoc} : (i16, i16, i16) -> i16
//>     %c22 = arith.constant 22 : index
//>     %10 = memref.load %arg0[%c22] : memref<23xi16>
//>     %11 = memref.load %arg1[%c22] : memref<23xi16>
//>     %12 = sluice.float "fma" f16(%10, %11, %9) {reassoc} : (i16, i16, i16) -> i16
//>     return %12 : i16
//>   }
//> }
