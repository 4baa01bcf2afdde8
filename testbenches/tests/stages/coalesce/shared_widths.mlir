// passes: canonicalise, coalesce, canonicalise
// config: limits: {multiply: 1}

// One multiplier for products of two widths: the narrow one is widened, and cut again.
func.func @widths(%a: memref<4xi16>, %b: memref<32xi32>, %k: i16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xi16>
    %scaled = arith.muli %x, %k : i16
    %wide = arith.extsi %scaled : i16 to i32
    scf.for %j = %c0 to %c8 step %c1 {
      %row = arith.muli %i, %c8 : index
      %at = arith.addi %row, %j : index
      %y = memref.load %b[%at] : memref<32xi32>
      %z = arith.muli %wide, %y : i32
      memref.store %z, %b[%at] : memref<32xi32>
    }
  }
  return
}

// Divisions too, in the steps in which they are wanted; quotients without a sign are extended without one.
func.func @quotients(%a: memref<4xi16>, %b: memref<32xi32>, %k: i16, %l: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xi16>
    %part = arith.divui %x, %k : i16
    %wide = arith.extui %part : i16 to i32
    %other = arith.divui %l, %wide : i32
    scf.for %j = %c0 to %c8 step %c1 {
      %row = arith.muli %i, %c8 : index
      %at = arith.addi %row, %j : index
      %y = memref.load %b[%at] : memref<32xi32>
      %z = arith.addi %other, %y : i32
      memref.store %z, %b[%at] : memref<32xi32>
    }
  }
  return
}

//> module {
//>   func.func @widths(%arg0: memref<4xi16>, %arg1: memref<32xi32>, %arg2: i16) {
//>     %c8 = arith.constant 8 : index
//>     %c0 = arith.constant 0 : index
//>     %c36 = arith.constant 36 : index
//>     %c1 = arith.constant 1 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %false = arith.constant false
//>     %true = arith.constant true
//>     %c0_i2 = arith.constant 0 : i2
//>     %c0_i3 = arith.constant 0 : i3
//>     %0:7 = scf.for %arg3 = %c0 to %c36 step %c1 iter_args(%arg4 = %c0_i32, %arg5 = %false, %arg6 = %true, %arg7 = %c0_i2, %arg8 = %false, %arg9 = %c0_i3, %arg10 = %false) -> (i32, i1, i1, i2, i1, i3, i1) {
//>       %1 = arith.index_castui %arg7 : i2 to index
//>       %2 = arith.index_castui %arg9 : i3 to index
//>       %3 = arith.xori %arg10, %true : i1
//>       %4 = arith.andi %arg5, %3 : i1
//>       %5 = arith.addi %2, %c1 : index
//>       %6 = arith.index_cast %5 : index to i3
//>       %c-2_i3 = arith.constant -2 : i3
//>       %7 = arith.cmpi eq, %arg9, %c-2_i3 : i3
//>       %8 = arith.andi %arg5, %arg10 : i1
//>       %9 = arith.xori %arg8, %true : i1
//>       %10 = arith.andi %8, %9 : i1
//>       %11 = arith.addi %1, %c1 : index
//>       %12 = arith.index_cast %11 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %13 = arith.cmpi eq, %arg7, %c-2_i2 : i2
//>       %14 = memref.load %arg0[%1] {sluice.access = 0 : i64} : memref<4xi16>
//>       %15 = arith.extsi %14 : i16 to i32
//>       %16 = arith.extsi %arg2 : i16 to i32
//>       %17 = arith.select %arg6, %15, %arg4 : i32
//>       %18 = arith.muli %1, %c8 : index
//>       %19 = arith.addi %18, %2 : index
//>       %20 = memref.load %arg1[%19] {sluice.access = 1 : i64} : memref<32xi32>
//>       %21 = arith.select %arg6, %16, %20 : i32
//>       %22 = arith.muli %17, %21 : i32
//>       %23 = arith.trunci %22 : i32 to i16
//>       %24 = arith.extsi %23 : i16 to i32
//>       scf.if %arg5 {
//>         memref.store %22, %arg1[%19] {sluice.access = 2 : i64} : memref<32xi32>
//>       } {sluice.guard}
//>       %25 = arith.select %arg6, %24, %arg4 : i32
//>       %26 = arith.ori %4, %arg6 : i1
//>       %27 = arith.select %10, %12, %arg7 : i2
//>       %28 = arith.andi %10, %13 : i1
//>       %29 = arith.xori %10, %true : i1
//>       %30 = arith.andi %29, %arg8 : i1
//>       %31 = arith.ori %28, %30 : i1
//>       %32 = arith.select %4, %6, %arg9 : i3
//>       %33 = arith.select %arg6, %c0_i3, %32 : i3
//>       %34 = arith.andi %4, %7 : i1
//>       %35 = arith.xori %26, %true : i1
//>       %36 = arith.andi %35, %arg10 : i1
//>       %37 = arith.ori %34, %36 : i1
//>       scf.yield %25, %26, %10, %27, %31, %33, %37 : i32, i1, i1, i2, i1, i3, i1
//>     } {sluice.idle_steps = 0 : i64, sluice.steps = [array<i64: 1, 2, 0>]}
//>     return
//>   }
//>   func.func @quotients(%arg0: memref<4xi16>, %arg1: memref<32xi32>, %arg2: i16, %arg3: i32) {
//>     %c8 = arith.constant 8 : index
//>     %c0 = arith.constant 0 : index
//>     %c72 = arith.constant 72 : index
//>     %c1 = arith.constant 1 : index
//>     %c0_i16 = arith.constant 0 : i16
//>     %c0_i32 = arith.constant 0 : i32
//>     %false = arith.constant false
//>     %true = arith.constant true
//>     %c0_i2 = arith.constant 0 : i2
//>     %c0_i3 = arith.constant 0 : i3
//>     %c0_i4 = arith.constant 0 : i4
//>     %0:12 = scf.for %arg4 = %c0 to %c72 step %c1 iter_args(%arg5 = %c0_i16, %arg6 = %c0_i32, %arg7 = %false, %arg8 = %true, %arg9 = %false, %arg10 = %c0_i2, %arg11 = %false, %arg12 = %c0_i3, %arg13 = %false, %arg14 = %c0_i4, %arg15 = %false, %arg16 = %false) -> (i16, i32, i1, i1, i1, i2, i1, i3, i1, i4, i1, i1) {
//>       %1 = arith.index_castui %arg10 : i2 to index
//>       %2 = arith.index_castui %arg12 : i3 to index
//>       %3 = arith.index_castui %arg14 : i4 to index
//>       %4 = arith.xori %arg13, %true : i1
//>       %5 = arith.andi %arg7, %4 : i1
//>       %6 = arith.addi %2, %c1 : index
//>       %7 = arith.index_cast %6 : index to i3
//>       %c-2_i3 = arith.constant -2 : i3
//>       %8 = arith.cmpi eq, %arg12, %c-2_i3 : i3
//>       %9 = arith.andi %arg7, %arg13 : i1
//>       %10 = arith.xori %arg11, %true : i1
//>       %11 = arith.andi %9, %10 : i1
//>       %12 = arith.addi %1, %c1 : index
//>       %13 = arith.index_cast %12 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %14 = arith.cmpi eq, %arg10, %c-2_i2 : i2
//>       %15 = arith.xori %arg15, %true : i1
//>       %16 = arith.andi %arg9, %15 : i1
//>       %17 = arith.addi %3, %c1 : index
//>       %18 = arith.index_cast %17 : index to i4
//>       %c7_i4 = arith.constant 7 : i4
//>       %19 = arith.cmpi eq, %arg14, %c7_i4 : i4
//>       %20 = arith.andi %arg9, %arg15 : i1
//>       %21 = memref.load %arg0[%1] {sluice.access = 0 : i64} : memref<4xi16>
//>       %22 = arith.extui %21 : i16 to i32
//>       %23 = arith.extui %arg2 : i16 to i32
//>       %24 = arith.select %arg8, %22, %arg3 : i32
//>       %25 = builtin.unrealized_conversion_cast %arg5 : i16 to i16 {sluice.unchanged = 10 : i64}
//>       %26 = arith.extui %25 : i16 to i32
//>       %27 = arith.select %arg8, %23, %26 : i32
//>       %28 = arith.ori %arg8, %arg16 : i1
//>       %29 = scf.if %28 -> (i32) {
//>         %56 = arith.divui %24, %27 : i32
//>         scf.yield %56 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.every = 8 : i64, sluice.guard}
//>       %30 = arith.trunci %29 : i32 to i16
//>       %31 = arith.muli %1, %c8 : index
//>       %32 = arith.addi %31, %2 : index
//>       %33 = memref.load %arg1[%32] {sluice.access = 1 : i64} : memref<32xi32>
//>       %34 = arith.select %arg16, %29, %arg6 : i32
//>       %35 = arith.addi %34, %33 : i32
//>       scf.if %arg7 {
//>         memref.store %35, %arg1[%32] {sluice.access = 2 : i64} : memref<32xi32>
//>       } {sluice.guard}
//>       %36 = arith.select %arg8, %30, %arg5 : i16
//>       %37 = arith.ori %5, %20 : i1
//>       %38 = arith.ori %arg8, %16 : i1
//>       %39 = arith.select %11, %13, %arg10 : i2
//>       %40 = arith.andi %11, %14 : i1
//>       %41 = arith.xori %11, %true : i1
//>       %42 = arith.andi %41, %arg11 : i1
//>       %43 = arith.ori %40, %42 : i1
//>       %44 = arith.select %5, %7, %arg12 : i3
//>       %45 = arith.select %20, %c0_i3, %44 : i3
//>       %46 = arith.andi %5, %8 : i1
//>       %47 = arith.xori %37, %true : i1
//>       %48 = arith.andi %47, %arg13 : i1
//>       %49 = arith.ori %46, %48 : i1
//>       %50 = arith.select %arg8, %c0_i4, %arg14 : i4
//>       %51 = arith.select %16, %18, %50 : i4
//>       %52 = arith.andi %16, %19 : i1
//>       %53 = arith.xori %38, %true : i1
//>       %54 = arith.andi %53, %arg15 : i1
//>       %55 = arith.ori %52, %54 : i1
//>       scf.yield %36, %34, %37, %11, %38, %39, %43, %45, %49, %51, %55, %20 : i16, i32, i1, i1, i1, i2, i1, i3, i1, i4, i1, i1
//>     } {sluice.idle_steps = 36 : i64, sluice.steps = [array<i64: 1, 2, 0>]}
//>     return
//>   }
//> }
