// passes: canonicalise, coalesce, canonicalise

// The division of a row runs while the row before is updated: short rows are filled up to the steps that it takes.
func.func @eliminate(%a: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c3 step %c1 {
    %first = arith.addi %k, %c1 : index
    %row = arith.muli %k, %c4 : index
    %diagonal = arith.addi %row, %k : index
    scf.for %i = %first to %c4 step %c1 {
      %own = arith.muli %i, %c4 : index
      %head = arith.addi %own, %k : index
      %x = memref.load %a[%head] : memref<16xi32>
      %pivot = memref.load %a[%diagonal] : memref<16xi32>
      %q = arith.divsi %x, %pivot : i32
      memref.store %q, %a[%head] : memref<16xi32>
      scf.for %j = %first to %c4 step %c1 {
        %at = arith.addi %own, %j : index
        %of_row = arith.addi %row, %j : index
        %old = memref.load %a[%at] : memref<16xi32>
        %y = memref.load %a[%of_row] : memref<16xi32>
        %product = arith.muli %q, %y : i32
        %new = arith.subi %old, %product : i32
        memref.store %new, %a[%at] : memref<16xi32>
      }
    }
  } {sluice.rotate = 33 : i64}
  return
}

//> module {
//>   func.func @eliminate(%arg0: memref<16xi32>) {
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     %c0 = arith.constant 0 : index
//>     %c51 = arith.constant 51 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %false = arith.constant false
//>     %true = arith.constant true
//>     %c0_i2 = arith.constant 0 : i2
//>     %c1_i2 = arith.constant 1 : i2
//>     %c1_i3 = arith.constant 1 : i3
//>     %0:17 = scf.for %arg1 = %c0 to %c51 step %c1 iter_args(%arg2 = %c0_i32, %arg3 = %c0_i32, %arg4 = %c0_i32, %arg5 = %false, %arg6 = %false, %arg7 = %true, %arg8 = %false, %arg9 = %c0_i2, %arg10 = %false, %arg11 = %c1_i2, %arg12 = %false, %arg13 = %c1_i3, %arg14 = %false, %arg15 = %true, %arg16 = %c0_i2, %arg17 = %false, %arg18 = %false) -> (i32, i32, i32, i1, i1, i1, i1, i2, i1, i2, i1, i3, i1, i1, i2, i1, i1) {
//>       %1 = arith.index_castui %arg9 : i2 to index
//>       %2 = arith.index_castui %arg11 : i2 to index
//>       %3 = arith.index_castui %arg13 : i3 to index
//>       %4 = arith.index_castui %arg16 : i2 to index
//>       %5 = arith.xori %arg14, %true : i1
//>       %6 = arith.andi %arg5, %5 : i1
//>       %7 = arith.addi %3, %c1 : index
//>       %8 = arith.index_cast %7 : index to i3
//>       %c3 = arith.constant 3 : index
//>       %9 = arith.cmpi sge, %7, %c3 : index
//>       %c5 = arith.constant 5 : index
//>       %10 = arith.addi %1, %c5 : index
//>       %11 = arith.cmpi sge, %7, %10 : index
//>       %12 = arith.andi %9, %11 : i1
//>       %13 = arith.cmpi slt, %7, %c4 : index
//>       %14 = arith.andi %arg5, %arg14 : i1
//>       %15 = arith.xori %arg12, %true : i1
//>       %16 = arith.andi %14, %15 : i1
//>       %17 = arith.addi %2, %c1 : index
//>       %18 = arith.index_cast %17 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %19 = arith.cmpi eq, %arg11, %c-2_i2 : i2
//>       %20 = arith.andi %14, %arg12 : i1
//>       %21 = arith.xori %arg10, %true : i1
//>       %22 = arith.andi %20, %21 : i1
//>       %23 = arith.addi %1, %c1 : index
//>       %24 = arith.index_cast %23 : index to i2
//>       %25 = arith.cmpi eq, %arg9, %c1_i2 : i2
//>       %26 = arith.index_cast %23 : index to i3
//>       %27 = arith.cmpi sge, %23, %c3 : index
//>       %28 = arith.cmpi sge, %23, %10 : index
//>       %29 = arith.andi %27, %28 : i1
//>       %30 = arith.cmpi slt, %23, %c4 : index
//>       %31 = arith.xori %arg17, %true : i1
//>       %32 = arith.andi %arg8, %31 : i1
//>       %33 = arith.addi %4, %c1 : index
//>       %34 = arith.index_cast %33 : index to i2
//>       %35 = arith.cmpi eq, %arg16, %c-2_i2 : i2
//>       %36 = arith.andi %arg8, %arg17 : i1
//>       %37 = arith.cmpi eq, %23, %c3 : index
//>       %38 = arith.muli %23, %c4 : index
//>       %39 = arith.addi %38, %1 : index
//>       %40 = arith.andi %30, %arg7 : i1
//>       %41 = arith.muli %17, %c4 : index
//>       %42 = arith.addi %41, %1 : index
//>       %43 = arith.muli %2, %c4 : index
//>       %44 = arith.addi %43, %3 : index
//>       %45 = arith.select %arg6, %42, %44 : index
//>       %46 = arith.select %arg7, %39, %45 : index
//>       %47 = arith.cmpi slt, %17, %c4 : index
//>       %48 = arith.andi %47, %arg6 : i1
//>       %49 = arith.andi %arg5, %arg15 : i1
//>       %50 = arith.ori %48, %49 : i1
//>       %51 = arith.ori %40, %50 : i1
//>       %52 = scf.if %51 -> (i32) {
//>         %111 = memref.load %arg0[%46] {sluice.access = 0 : i64} : memref<16xi32>
//>         scf.yield %111 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.any, sluice.guard}
//>       %53 = arith.muli %1, %c4 : index
//>       %54 = arith.addi %53, %1 : index
//>       %55 = arith.addi %53, %3 : index
//>       %56 = arith.select %arg6, %54, %55 : index
//>       %57 = arith.select %arg7, %54, %56 : index
//>       %58 = arith.xori %arg6, %true : i1
//>       %59 = arith.ori %48, %58 : i1
//>       %60 = arith.ori %40, %59 : i1
//>       %61 = scf.if %60 -> (i32) {
//>         %111 = memref.load %arg0[%57] {sluice.access = 1 : i64} : memref<16xi32>
//>         scf.yield %111 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.any, sluice.guard}
//>       %62 = arith.ori %40, %48 : i1
//>       %63 = scf.if %62 -> (i32) {
//>         %111 = arith.divsi %52, %61 : i32
//>         scf.yield %111 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.every = 5 : i64, sluice.guard}
//>       %64 = builtin.unrealized_conversion_cast %arg3 : i32 to i32 {sluice.unchanged = 5 : i64}
//>       %65 = arith.select %arg18, %64, %arg2 : i32
//>       %66 = arith.addi %43, %1 : index
//>       %67 = arith.muli %arg2, %61 : i32
//>       %68 = arith.subi %52, %67 : i32
//>       %69 = arith.select %arg6, %65, %68 : i32
//>       %70 = arith.select %arg6, %66, %44 : index
//>       %71 = arith.ori %arg6, %49 : i1
//>       scf.if %71 {
//>         memref.store %69, %arg0[%70] {sluice.access = 2 : i64} : memref<16xi32>
//>       } {sluice.guard}
//>       %72 = builtin.unrealized_conversion_cast %arg4 : i32 to i32 {sluice.unchanged = 5 : i64}
//>       %73 = arith.select %14, %72, %65 : i32
//>       %74 = arith.select %arg7, %63, %arg3 : i32
//>       %75 = arith.select %arg6, %63, %arg4 : i32
//>       %76 = arith.ori %6, %arg6 : i1
//>       %77 = arith.ori %16, %36 : i1
//>       %78 = arith.ori %arg7, %32 : i1
//>       %79 = arith.select %22, %24, %arg9 : i2
//>       %80 = arith.andi %22, %25 : i1
//>       %81 = arith.xori %22, %true : i1
//>       %82 = arith.andi %81, %arg10 : i1
//>       %83 = arith.ori %80, %82 : i1
//>       %84 = arith.select %16, %18, %arg11 : i2
//>       %85 = arith.select %36, %24, %84 : i2
//>       %86 = arith.andi %16, %19 : i1
//>       %87 = arith.andi %36, %37 : i1
//>       %88 = arith.ori %86, %87 : i1
//>       %89 = arith.xori %77, %true : i1
//>       %90 = arith.andi %89, %arg12 : i1
//>       %91 = arith.ori %88, %90 : i1
//>       %92 = arith.select %6, %8, %arg13 : i3
//>       %93 = arith.select %arg6, %26, %92 : i3
//>       %94 = arith.andi %6, %12 : i1
//>       %95 = arith.andi %arg6, %29 : i1
//>       %96 = arith.ori %94, %95 : i1
//>       %97 = arith.xori %76, %true : i1
//>       %98 = arith.andi %97, %arg14 : i1
//>       %99 = arith.ori %96, %98 : i1
//>       %100 = arith.andi %6, %13 : i1
//>       %101 = arith.andi %arg6, %30 : i1
//>       %102 = arith.ori %100, %101 : i1
//>       %103 = arith.andi %97, %arg15 : i1
//>       %104 = arith.ori %102, %103 : i1
//>       %105 = arith.select %arg7, %c0_i2, %arg16 : i2
//>       %106 = arith.select %32, %34, %105 : i2
//>       %107 = arith.andi %32, %35 : i1
//>       %108 = arith.xori %78, %true : i1
//>       %109 = arith.andi %108, %arg17 : i1
//>       %110 = arith.ori %107, %109 : i1
//>       scf.yield %73, %74, %75, %76, %77, %22, %78, %79, %83, %85, %91, %93, %99, %104, %106, %110, %36 : i32, i32, i32, i1, i1, i1, i1, i2, i1, i2, i1, i3, i1, i1, i2, i1, i1
//>     } {sluice.idle_steps = 28 : i64, sluice.rotated = 33 : i64, sluice.steps = [array<i64: 0, 2, 0>, array<i64: 2, 0, 5>, array<i64: 2, 1, 11>, array<i64: 2, 2, 10>]}
//>     return
//>   }
//> }
