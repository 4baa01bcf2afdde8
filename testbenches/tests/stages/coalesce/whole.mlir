// passes: canonicalise, coalesce, canonicalise
// config: limits: {multiply: 1}

// The sums of the next row are made before this row is used: they are there when the second inner loop starts.
func.func @whole(%a: memref<16xi32>, %x: memref<4xi32>, %y: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    %row = arith.muli %i, %c4 : index
    %sum = scf.for %j = %c0 to %c4 step %c1 iter_args(%partial = %zero) -> (i32) {
      %at = arith.addi %row, %j : index
      %v = memref.load %a[%at] : memref<16xi32>
      %w = memref.load %x[%j] : memref<4xi32>
      %product = arith.muli %v, %w : i32
      %next = arith.addi %partial, %product : i32
      scf.yield %next : i32
    }
    scf.for %j = %c0 to %c4 step %c1 {
      %at = arith.addi %row, %j : index
      %v = memref.load %a[%at] : memref<16xi32>
      %old = memref.load %y[%j] : memref<4xi32>
      %product = arith.muli %v, %sum : i32
      %new = arith.addi %old, %product : i32
      memref.store %new, %y[%j] : memref<4xi32>
    }
  } {sluice.rotate = 8 : i64}
  return
}

//> module {
//>   func.func @whole(%arg0: memref<16xi32>, %arg1: memref<4xi32>, %arg2: memref<4xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c4 = arith.constant 4 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %c32 = arith.constant 32 : index
//>     %c1 = arith.constant 1 : index
//>     %true = arith.constant true
//>     %false = arith.constant false
//>     %c0_i2 = arith.constant 0 : i2
//>     %c1_i2 = arith.constant 1 : i2
//>     %0:19 = scf.for %arg3 = %c0 to %c32 step %c1 iter_args(%arg4 = %c0_i32, %arg5 = %c0_i32, %arg6 = %c0_i32, %arg7 = %c0_i32, %arg8 = %true, %arg9 = %false, %arg10 = %false, %arg11 = %false, %arg12 = %c0_i2, %arg13 = %false, %arg14 = %c0_i2, %arg15 = %false, %arg16 = %c1_i2, %arg17 = %c0_i2, %arg18 = %false, %arg19 = %c0_i2, %arg20 = %false, %arg21 = %true, %arg22 = %false) -> (i32, i32, i32, i32, i1, i1, i1, i1, i2, i1, i2, i1, i2, i2, i1, i2, i1, i1, i1) {
//>       %1 = arith.index_castui %arg12 : i2 to index
//>       %2 = arith.index_castui %arg14 : i2 to index
//>       %3 = arith.index_castui %arg16 : i2 to index
//>       %4 = arith.index_castui %arg17 : i2 to index
//>       %5 = arith.index_castui %arg19 : i2 to index
//>       %6 = arith.xori %arg13, %true : i1
//>       %7 = arith.andi %arg8, %6 : i1
//>       %8 = arith.addi %1, %c1 : index
//>       %9 = arith.index_cast %8 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %10 = arith.cmpi eq, %arg12, %c-2_i2 : i2
//>       %11 = arith.andi %arg8, %arg13 : i1
//>       %12 = arith.xori %arg18, %true : i1
//>       %13 = arith.andi %arg9, %12 : i1
//>       %14 = arith.addi %4, %c1 : index
//>       %15 = arith.index_cast %14 : index to i2
//>       %16 = arith.cmpi eq, %arg17, %c-2_i2 : i2
//>       %17 = arith.andi %arg9, %arg18 : i1
//>       %18 = arith.xori %arg20, %true : i1
//>       %19 = arith.andi %arg10, %18 : i1
//>       %20 = arith.addi %5, %c1 : index
//>       %21 = arith.index_cast %20 : index to i2
//>       %22 = arith.cmpi eq, %arg19, %c-2_i2 : i2
//>       %23 = arith.andi %arg10, %arg20 : i1
//>       %24 = arith.xori %arg15, %true : i1
//>       %25 = arith.andi %23, %24 : i1
//>       %26 = arith.addi %2, %c1 : index
//>       %27 = arith.index_cast %26 : index to i2
//>       %28 = arith.cmpi eq, %arg14, %c-2_i2 : i2
//>       %29 = arith.xori %28, %true : i1
//>       %30 = arith.andi %25, %29 : i1
//>       %31 = arith.addi %26, %c1 : index
//>       %32 = arith.index_cast %31 : index to i2
//>       %33 = arith.xori %29, %true : i1
//>       %34 = arith.andi %25, %33 : i1
//>       %35 = arith.select %arg21, %c0_i32, %arg4 : i32
//>       %36 = arith.muli %2, %c4 : index
//>       %37 = arith.addi %36, %5 : index
//>       %38 = arith.muli %3, %c4 : index
//>       %39 = arith.addi %38, %4 : index
//>       %40 = arith.select %arg9, %39, %1 : index
//>       %41 = arith.select %arg10, %37, %40 : index
//>       %42 = memref.load %arg0[%41] {sluice.access = 1 : i64} : memref<16xi32>
//>       %43 = arith.cmpi eq, %2, %c0 : index
//>       %44 = builtin.unrealized_conversion_cast %arg4 : i32 to i32 {sluice.unchanged = 5 : i64}
//>       %45 = arith.select %43, %44, %arg5 : i32
//>       %46 = arith.select %arg9, %4, %1 : index
//>       %47 = memref.load %arg1[%46] {sluice.access = 0 : i64} : memref<4xi32>
//>       %48 = arith.select %arg10, %45, %47 : i32
//>       %49 = arith.muli %42, %48 : i32
//>       %50 = arith.addi %35, %49 : i32
//>       %51 = arith.select %arg22, %c0_i32, %arg7 : i32
//>       %52 = arith.addi %51, %49 : i32
//>       %53 = memref.load %arg2[%5] {sluice.access = 2 : i64} : memref<4xi32>
//>       %54 = arith.addi %53, %49 : i32
//>       scf.if %arg10 {
//>         memref.store %54, %arg2[%5] {sluice.access = 3 : i64} : memref<4xi32>
//>       } {sluice.guard}
//>       %55 = builtin.unrealized_conversion_cast %arg6 : i32 to i32 {sluice.unchanged = 4 : i64}
//>       %56 = arith.select %arg8, %50, %35 : i32
//>       %57 = arith.select %23, %55, %arg5 : i32
//>       %58 = arith.select %17, %52, %arg6 : i32
//>       %59 = arith.select %arg9, %52, %51 : i32
//>       %60 = arith.ori %11, %13 : i1
//>       %61 = arith.ori %60, %30 : i1
//>       %62 = arith.ori %17, %19 : i1
//>       %63 = arith.ori %62, %34 : i1
//>       %64 = arith.select %7, %9, %arg12 : i2
//>       %65 = arith.andi %7, %10 : i1
//>       %66 = arith.xori %7, %true : i1
//>       %67 = arith.andi %66, %arg13 : i1
//>       %68 = arith.ori %65, %67 : i1
//>       %69 = arith.ori %30, %34 : i1
//>       %70 = arith.select %11, %c0_i2, %arg14 : i2
//>       %71 = arith.select %69, %27, %70 : i2
//>       %72 = arith.ori %11, %30 : i1
//>       %73 = arith.andi %30, %28 : i1
//>       %74 = arith.ori %72, %34 : i1
//>       %75 = arith.andi %34, %28 : i1
//>       %76 = arith.ori %73, %75 : i1
//>       %77 = arith.xori %74, %true : i1
//>       %78 = arith.andi %77, %arg15 : i1
//>       %79 = arith.ori %76, %78 : i1
//>       %80 = arith.select %11, %c1_i2, %arg16 : i2
//>       %81 = arith.select %30, %32, %80 : i2
//>       %82 = arith.select %11, %c0_i2, %arg17 : i2
//>       %83 = arith.select %13, %15, %82 : i2
//>       %84 = arith.select %30, %c0_i2, %83 : i2
//>       %85 = arith.andi %13, %16 : i1
//>       %86 = arith.xori %61, %true : i1
//>       %87 = arith.andi %86, %arg18 : i1
//>       %88 = arith.ori %85, %87 : i1
//>       %89 = arith.select %17, %c0_i2, %arg19 : i2
//>       %90 = arith.select %19, %21, %89 : i2
//>       %91 = arith.select %34, %c0_i2, %90 : i2
//>       %92 = arith.andi %19, %22 : i1
//>       %93 = arith.xori %63, %true : i1
//>       %94 = arith.andi %93, %arg20 : i1
//>       %95 = arith.ori %92, %94 : i1
//>       scf.yield %56, %57, %58, %59, %7, %61, %63, %false, %64, %68, %71, %79, %81, %84, %88, %91, %95, %false, %72 : i32, i32, i32, i32, i1, i1, i1, i1, i2, i1, i2, i1, i2, i2, i1, i2, i1, i1, i1
//>     } {sluice.idle_steps = 0 : i64, sluice.rotated = 8 : i64, sluice.steps = [array<i64: 2, 3, 0>, array<i64: 3, 2, 4>, array<i64: 3, 3, 4>]}
//>     return
//>   }
//> }
