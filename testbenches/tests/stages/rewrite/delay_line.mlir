// passes: normalise, affine-to-scf, flatten-memrefs, canonicalise, annotate, narrow, tidy, rewrite

// What was handed on for an iteration is added first, what the iteration before made last: one multiplication and one addition between.
func.func @filter(%x: memref<64xi16>, %y: memref<64xi16>) {
  %zero = arith.constant 0 : i16
  %a = arith.constant 57 : i16
  %b = arith.constant 23 : i16
  %r:2 = affine.for %i = 0 to 64 iter_args(%last = %zero, %second = %zero) -> (i16, i16) {
    %in = affine.load %x[%i] : memref<64xi16>
    %near = arith.muli %last, %a : i16
    %far = arith.muli %second, %b : i16
    %some = arith.addi %in, %near : i16
    %out = arith.addi %some, %far : i16
    affine.store %out, %y[%i] : memref<64xi16>
    affine.yield %out, %last : i16, i16
  }
  return
}

//> module {
//>   func.func @filter(%arg0: memref<64xi16>, %arg1: memref<64xi16>) attributes {sluice.arguments = [{name = "x", shape = array<i64: 64>, type = memref<64xi16>, width = 16 : i64}, {name = "y", shape = array<i64: 64>, type = memref<64xi16>, width = 16 : i64}], sluice.dependences = [], sluice.results = []} {
//>     %c0_i8 = arith.constant 0 : i8
//>     %c64_i8 = arith.constant 64 : i8
//>     %c1_i8 = arith.constant 1 : i8
//>     %c0_i16 = arith.constant 0 : i16
//>     %0:2 = scf.for %arg2 = %c0_i8 to %c64_i8 step %c1_i8 iter_args(%arg3 = %c0_i16, %arg4 = %c0_i16) -> (i16, i16)  : i8 {
//>       %1 = arith.trunci %arg2 : i8 to i6
//>       %2 = arith.index_castui %1 : i6 to index
//>       %3 = memref.load %arg0[%2] {sluice.access = 0 : i64} : memref<64xi16>
//>       %c6_i16 = arith.constant 6 : i16
//>       %4 = arith.shli %arg3, %c6_i16 : i16
//>       %c3_i16 = arith.constant 3 : i16
//>       %5 = arith.shli %arg3, %c3_i16 : i16
//>       %6 = arith.subi %4, %5 : i16
//>       %c5_i16 = arith.constant 5 : i16
//>       %7 = arith.shli %arg4, %c5_i16 : i16
//>       %8 = arith.addi %3, %7 : i16
//>       %9 = arith.shli %arg4, %c3_i16 : i16
//>       %10 = arith.addi %arg4, %9 : i16
//>       %11 = arith.subi %8, %10 : i16
//>       %12 = arith.addi %arg3, %11 : i16
//>       %13 = arith.addi %6, %12 : i16
//>       memref.store %13, %arg1[%2] {sluice.access = 1 : i64} : memref<64xi16>
//>       scf.yield %13, %arg3 : i16, i16
//>     } {sluice.dependences = [], sluice.trip_count = 64 : i64}
//>     return
//>   }
//> }
