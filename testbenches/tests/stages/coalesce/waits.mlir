// passes: canonicalise, coalesce, canonicalise

// The next row reads the quotient last: idle steps in front of it make every row equally long, and nothing waits for the store.
func.func @solve(%l: memref<16xi8>, %x: memref<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %first = memref.load %x[%i] : memref<4xi8>
    %rest = scf.for %j = %c0 to %i step %c1 iter_args(%s = %first) -> (i8) {
      %row = arith.muli %i, %c4 : index
      %place = arith.addi %row, %j : index
      %f = memref.load %l[%place] : memref<16xi8>
      %y = memref.load %x[%j] : memref<4xi8>
      %product = arith.muli %f, %y : i8
      %new = arith.subi %s, %product : i8
      scf.yield %new : i8
    }
    %begin = arith.muli %i, %c4 : index
    %corner = arith.addi %begin, %i : index
    %pivot = memref.load %l[%corner] : memref<16xi8>
    %quotient = arith.divui %rest, %pivot : i8
    memref.store %quotient, %x[%i] : memref<4xi8>
  } {sluice.waits = 1 : i64, sluice.spacing = 2 : i64}
  return
}

//> module {
//>   func.func @solve(%arg0: memref<16xi8>, %arg1: memref<4xi8>) {
//>     %c0 = arith.constant 0 : index
//>     %c4 = arith.constant 4 : index
//>     %c24 = arith.constant 24 : index
//>     %c1 = arith.constant 1 : index
//>     %c0_i8 = arith.constant 0 : i8
//>     %false = arith.constant false
//>     %true = arith.constant true
//>     %c0_i2 = arith.constant 0 : i2
//>     %0:13 = scf.for %arg2 = %c0 to %c24 step %c1 iter_args(%arg3 = %c0_i8, %arg4 = %c0_i8, %arg5 = %false, %arg6 = %true, %arg7 = %false, %arg8 = %false, %arg9 = %false, %arg10 = %c0_i2, %arg11 = %false, %arg12 = %c0_i2, %arg13 = %true, %arg14 = %c0_i2, %arg15 = %false) -> (i8, i8, i1, i1, i1, i1, i1, i2, i1, i2, i1, i2, i1) {
//>       %1 = arith.index_castui %arg10 : i2 to index
//>       %2 = arith.index_castui %arg12 : i2 to index
//>       %3 = arith.index_castui %arg14 : i2 to index
//>       %4 = arith.xori %arg13, %true : i1
//>       %5 = arith.andi %arg5, %4 : i1
//>       %6 = arith.addi %2, %c1 : index
//>       %7 = arith.index_cast %6 : index to i2
//>       %c-1 = arith.constant -1 : index
//>       %8 = arith.addi %1, %c-1 : index
//>       %9 = arith.cmpi eq, %6, %8 : index
//>       %10 = arith.andi %arg5, %arg13 : i1
//>       %c3 = arith.constant 3 : index
//>       %11 = arith.cmpi slt, %1, %c3 : index
//>       %12 = arith.andi %arg6, %11 : i1
//>       %13 = arith.index_cast %1 : index to i2
//>       %c2 = arith.constant 2 : index
//>       %14 = arith.cmpi eq, %1, %c2 : index
//>       %15 = arith.xori %11, %true : i1
//>       %16 = arith.andi %arg6, %15 : i1
//>       %17 = arith.cmpi slt, %c0, %1 : index
//>       %18 = arith.andi %16, %17 : i1
//>       %19 = arith.cmpi eq, %c0, %8 : index
//>       %20 = arith.xori %17, %true : i1
//>       %21 = arith.andi %16, %20 : i1
//>       %22 = arith.xori %arg11, %true : i1
//>       %23 = arith.andi %arg7, %22 : i1
//>       %24 = arith.addi %1, %c1 : index
//>       %25 = arith.index_cast %24 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %26 = arith.cmpi eq, %arg10, %c-2_i2 : i2
//>       %27 = arith.xori %arg15, %true : i1
//>       %28 = arith.andi %arg9, %27 : i1
//>       %29 = arith.addi %3, %c1 : index
//>       %30 = arith.index_cast %29 : index to i2
//>       %c1_i2 = arith.constant 1 : i2
//>       %31 = arith.cmpi eq, %arg14, %c1_i2 : i2
//>       %32 = arith.andi %arg9, %arg15 : i1
//>       %33 = arith.andi %32, %17 : i1
//>       %34 = arith.andi %32, %20 : i1
//>       %35 = arith.select %arg6, %1, %2 : index
//>       %36 = memref.load %arg1[%35] {sluice.access = 0 : i64} : memref<4xi8>
//>       %37 = arith.muli %1, %c4 : index
//>       %38 = arith.addi %37, %2 : index
//>       %39 = arith.addi %37, %1 : index
//>       %40 = arith.select %arg8, %39, %38 : index
//>       %41 = memref.load %arg0[%40] {sluice.access = 1 : i64} : memref<16xi8>
//>       %42 = arith.muli %41, %36 : i8
//>       %43 = arith.subi %arg3, %42 : i8
//>       %44 = scf.if %arg8 -> (i8) {
//>         %77 = arith.divui %arg3, %41 : i8
//>         scf.yield %77 : i8
//>       } else {
//>         scf.yield %c0_i8 : i8
//>       } {sluice.every = 6 : i64, sluice.guard}
//>       scf.if %arg7 {
//>         memref.store %arg4, %arg1[%1] {sluice.access = 2 : i64} : memref<4xi8>
//>       } {sluice.guard}
//>       %45 = arith.select %arg6, %36, %arg3 : i8
//>       %46 = arith.select %arg5, %43, %45 : i8
//>       %47 = arith.select %arg8, %44, %arg4 : i8
//>       %48 = arith.ori %5, %18 : i1
//>       %49 = arith.ori %48, %33 : i1
//>       %50 = arith.ori %10, %21 : i1
//>       %51 = arith.ori %50, %34 : i1
//>       %52 = arith.ori %12, %28 : i1
//>       %53 = arith.select %23, %25, %arg10 : i2
//>       %54 = arith.andi %23, %26 : i1
//>       %55 = arith.xori %23, %true : i1
//>       %56 = arith.andi %55, %arg11 : i1
//>       %57 = arith.ori %54, %56 : i1
//>       %58 = arith.select %5, %7, %arg12 : i2
//>       %59 = arith.select %18, %c0_i2, %58 : i2
//>       %60 = arith.select %33, %c0_i2, %59 : i2
//>       %61 = arith.andi %5, %9 : i1
//>       %62 = arith.andi %18, %19 : i1
//>       %63 = arith.ori %61, %62 : i1
//>       %64 = arith.andi %33, %19 : i1
//>       %65 = arith.ori %63, %64 : i1
//>       %66 = arith.xori %49, %true : i1
//>       %67 = arith.andi %66, %arg13 : i1
//>       %68 = arith.ori %65, %67 : i1
//>       %69 = arith.select %12, %13, %arg14 : i2
//>       %70 = arith.select %28, %30, %69 : i2
//>       %71 = arith.andi %12, %14 : i1
//>       %72 = arith.andi %28, %31 : i1
//>       %73 = arith.ori %71, %72 : i1
//>       %74 = arith.xori %52, %true : i1
//>       %75 = arith.andi %74, %arg15 : i1
//>       %76 = arith.ori %73, %75 : i1
//>       scf.yield %46, %47, %49, %23, %arg8, %51, %52, %53, %57, %60, %68, %70, %76 : i8, i8, i1, i1, i1, i1, i1, i2, i1, i2, i1, i2, i1
//>     } {sluice.idle_steps = 6 : i64, sluice.steps = [array<i64: 0, 2, 5>, array<i64: 2, 0, 4>]}
//>     return
//>   }
//> }
