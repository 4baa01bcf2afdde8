// passes: canonicalise, coalesce, canonicalise

// A division between loops runs under a guard; idle steps wait for the quotient.
func.func @normalise(%a: memref<32xi32>, %d: memref<4xi32>, %o: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    %sum = scf.for %j = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (i32) {
      %row = arith.muli %i, %c8 : index
      %at = arith.addi %row, %j : index
      %x = memref.load %a[%at] : memref<32xi32>
      %next = arith.addi %acc, %x : i32
      scf.yield %next : i32
    }
    %by = memref.load %d[%i] : memref<4xi32>
    %quotient = arith.divsi %sum, %by : i32
    memref.store %quotient, %o[%i] : memref<4xi32>
  }
  return
}

//> module {
//>   func.func @normalise(%arg0: memref<32xi32>, %arg1: memref<4xi32>, %arg2: memref<4xi32>) {
//>     %c8 = arith.constant 8 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %c0 = arith.constant 0 : index
//>     %c72 = arith.constant 72 : index
//>     %c1 = arith.constant 1 : index
//>     %true = arith.constant true
//>     %false = arith.constant false
//>     %c0_i2 = arith.constant 0 : i2
//>     %c0_i3 = arith.constant 0 : i3
//>     %c0_i4 = arith.constant 0 : i4
//>     %0:12 = scf.for %arg3 = %c0 to %c72 step %c1 iter_args(%arg4 = %c0_i32, %arg5 = %c0_i32, %arg6 = %true, %arg7 = %false, %arg8 = %false, %arg9 = %c0_i2, %arg10 = %false, %arg11 = %c0_i3, %arg12 = %false, %arg13 = %c0_i4, %arg14 = %false, %arg15 = %true) -> (i32, i32, i1, i1, i1, i2, i1, i3, i1, i4, i1, i1) {
//>       %1 = arith.index_castui %arg9 : i2 to index
//>       %2 = arith.index_castui %arg11 : i3 to index
//>       %3 = arith.index_castui %arg13 : i4 to index
//>       %4 = arith.xori %arg12, %true : i1
//>       %5 = arith.andi %arg6, %4 : i1
//>       %6 = arith.addi %2, %c1 : index
//>       %7 = arith.index_cast %6 : index to i3
//>       %c-2_i3 = arith.constant -2 : i3
//>       %8 = arith.cmpi eq, %arg11, %c-2_i3 : i3
//>       %9 = arith.andi %arg6, %arg12 : i1
//>       %10 = arith.xori %arg10, %true : i1
//>       %11 = arith.andi %arg7, %10 : i1
//>       %12 = arith.addi %1, %c1 : index
//>       %13 = arith.index_cast %12 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %14 = arith.cmpi eq, %arg9, %c-2_i2 : i2
//>       %15 = arith.xori %arg14, %true : i1
//>       %16 = arith.andi %arg8, %15 : i1
//>       %17 = arith.addi %3, %c1 : index
//>       %18 = arith.index_cast %17 : index to i4
//>       %c7_i4 = arith.constant 7 : i4
//>       %19 = arith.cmpi eq, %arg13, %c7_i4 : i4
//>       %20 = arith.andi %arg8, %arg14 : i1
//>       %21 = arith.muli %1, %c8 : index
//>       %22 = arith.addi %21, %2 : index
//>       %23 = memref.load %arg0[%22] {sluice.access = 0 : i64} : memref<32xi32>
//>       %24 = arith.select %arg15, %c0_i32, %arg4 : i32
//>       %25 = arith.addi %24, %23 : i32
//>       %26 = memref.load %arg1[%1] {sluice.access = 1 : i64} : memref<4xi32>
//>       %27 = scf.if %9 -> (i32) {
//>         %50 = arith.divsi %25, %26 : i32
//>         scf.yield %50 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.every = 18 : i64, sluice.guard}
//>       %28 = builtin.unrealized_conversion_cast %arg5 : i32 to i32 {sluice.unchanged = 10 : i64}
//>       scf.if %arg7 {
//>         memref.store %28, %arg2[%1] {sluice.access = 2 : i64} : memref<4xi32>
//>       } {sluice.guard}
//>       %29 = arith.select %arg6, %25, %24 : i32
//>       %30 = arith.select %9, %27, %arg5 : i32
//>       %31 = arith.ori %5, %11 : i1
//>       %32 = arith.ori %9, %16 : i1
//>       %33 = arith.select %11, %13, %arg9 : i2
//>       %34 = arith.andi %11, %14 : i1
//>       %35 = arith.xori %11, %true : i1
//>       %36 = arith.andi %35, %arg10 : i1
//>       %37 = arith.ori %34, %36 : i1
//>       %38 = arith.select %5, %7, %arg11 : i3
//>       %39 = arith.select %11, %c0_i3, %38 : i3
//>       %40 = arith.andi %5, %8 : i1
//>       %41 = arith.xori %31, %true : i1
//>       %42 = arith.andi %41, %arg12 : i1
//>       %43 = arith.ori %40, %42 : i1
//>       %44 = arith.select %9, %c0_i4, %arg13 : i4
//>       %45 = arith.select %16, %18, %44 : i4
//>       %46 = arith.andi %16, %19 : i1
//>       %47 = arith.xori %32, %true : i1
//>       %48 = arith.andi %47, %arg14 : i1
//>       %49 = arith.ori %46, %48 : i1
//>       scf.yield %29, %30, %31, %20, %32, %33, %37, %39, %43, %45, %49, %11 : i32, i32, i1, i1, i1, i2, i1, i3, i1, i4, i1, i1
//>     } {sluice.idle_steps = 36 : i64, sluice.steps = []}
//>     return
//>   }
//> }
