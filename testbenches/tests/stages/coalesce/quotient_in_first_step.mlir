// passes: canonicalise, coalesce, canonicalise

// The quotient is stored in the first step of the inner loop, which reads the cell in the same step: the idle steps that wait for the
// quotient stand in front of both, and the least distance from the store to the loads is 0.
func.func @scale(%a: memref<4xi16>, %b: memref<4xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xi16>
    %y = memref.load %b[%i] : memref<4xi16>
    %q = arith.divui %y, %x : i16
    memref.store %q, %a[%c0] : memref<4xi16>
    scf.for %j = %c0 to %c4 step %c1 {
      %old = memref.load %a[%j] : memref<4xi16>
      %head = memref.load %a[%i] : memref<4xi16>
      %product = arith.muli %head, %q : i16
      %new = arith.addi %old, %product : i16
      memref.store %new, %a[%j] : memref<4xi16>
    }
  }
  return
}

//> module {
//>   func.func @scale(%arg0: memref<4xi16>, %arg1: memref<4xi16>) {
//>     %c0 = arith.constant 0 : index
//>     %c32 = arith.constant 32 : index
//>     %c1 = arith.constant 1 : index
//>     %c0_i16 = arith.constant 0 : i16
//>     %false = arith.constant false
//>     %true = arith.constant true
//>     %c0_i2 = arith.constant 0 : i2
//>     %0:11 = scf.for %arg2 = %c0 to %c32 step %c1 iter_args(%arg3 = %c0_i16, %arg4 = %false, %arg5 = %true, %arg6 = %false, %arg7 = %false, %arg8 = %false, %arg9 = %c0_i2, %arg10 = %false, %arg11 = %c0_i2, %arg12 = %false, %arg13 = %false) -> (i16, i1, i1, i1, i1, i1, i2, i1, i2, i1, i1) {
//>       %1 = arith.index_castui %arg9 : i2 to index
//>       %2 = arith.index_castui %arg11 : i2 to index
//>       %3 = arith.xori %arg12, %true : i1
//>       %4 = arith.andi %arg4, %3 : i1
//>       %5 = arith.addi %2, %c1 : index
//>       %6 = arith.index_cast %5 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %7 = arith.cmpi eq, %arg11, %c-2_i2 : i2
//>       %8 = arith.andi %arg4, %arg12 : i1
//>       %9 = arith.xori %arg10, %true : i1
//>       %10 = arith.andi %8, %9 : i1
//>       %11 = arith.addi %1, %c1 : index
//>       %12 = arith.index_cast %11 : index to i2
//>       %13 = arith.cmpi eq, %arg9, %c-2_i2 : i2
//>       %14 = arith.select %arg5, %1, %2 : index
//>       %15 = builtin.unrealized_conversion_cast %arg3 : i16 to i16 {sluice.unchanged = 4 : i64}
//>       scf.if %arg13 {
//>         memref.store %15, %arg0[%c0] {sluice.access = 2 : i64} : memref<4xi16>
//>       } {sluice.guard}
//>       %16 = memref.load %arg0[%14] {sluice.access = 0 : i64} : memref<4xi16>
//>       %17 = memref.load %arg1[%1] {sluice.access = 1 : i64} : memref<4xi16>
//>       %18 = scf.if %arg5 -> (i16) {
//>         %35 = arith.divui %17, %16 : i16
//>         scf.yield %35 : i16
//>       } else {
//>         scf.yield %c0_i16 : i16
//>       } {sluice.every = 8 : i64, sluice.guard}
//>       %19 = memref.load %arg0[%1] {sluice.access = 3 : i64} : memref<4xi16>
//>       %20 = arith.muli %19, %15 : i16
//>       %21 = arith.addi %16, %20 : i16
//>       scf.if %arg4 {
//>         memref.store %21, %arg0[%2] {sluice.access = 4 : i64} : memref<4xi16>
//>       } {sluice.guard}
//>       %22 = arith.select %arg5, %18, %arg3 : i16
//>       %23 = arith.ori %4, %arg6 : i1
//>       %24 = arith.select %10, %12, %arg9 : i2
//>       %25 = arith.andi %10, %13 : i1
//>       %26 = arith.xori %10, %true : i1
//>       %27 = arith.andi %26, %arg10 : i1
//>       %28 = arith.ori %25, %27 : i1
//>       %29 = arith.select %4, %6, %arg11 : i2
//>       %30 = arith.select %arg6, %c0_i2, %29 : i2
//>       %31 = arith.andi %4, %7 : i1
//>       %32 = arith.xori %23, %true : i1
//>       %33 = arith.andi %32, %arg12 : i1
//>       %34 = arith.ori %31, %33 : i1
//>       scf.yield %22, %23, %10, %arg7, %arg8, %arg5, %24, %28, %30, %34, %arg6 : i16, i1, i1, i1, i1, i1, i2, i1, i2, i1, i1
//>     } {sluice.idle_steps = 12 : i64, sluice.steps = [array<i64: 0, 2, 4>, array<i64: 0, 4, 0>, array<i64: 2, 0, 0>, array<i64: 2, 3, 0>, array<i64: 2, 4, 0>, array<i64: 3, 2, 5>, array<i64: 3, 4, 0>, array<i64: 4, 0, 1>, array<i64: 4, 2, 8>, array<i64: 4, 3, 1>, array<i64: 4, 4, 8>]}
//>     return
//>   }
//> }
