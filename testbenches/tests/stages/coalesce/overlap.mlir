// passes: canonicalise, coalesce, canonicalise

// What an iteration leaves is written while the sums of the next one are made: the copying has no steps but the last ones.
func.func @overlap(%a: memref<24xi32>, %sums: memref<4xi32>, %out: memref<12xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  scf.for %once = %c0 to %c2 step %c1 {
    scf.for %i = %c0 to %c3 step %c1 {
      %row = arith.muli %i, %c4 : index
      scf.for %j = %c0 to %c4 step %c1 {
        %start = arith.muli %j, %c2 : index
        %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%partial = %zero) -> (i32) {
          %block = arith.muli %row, %c2 : index
          %inner = arith.addi %start, %k : index
          %at = arith.addi %block, %inner : index
          %x = memref.load %a[%at] : memref<24xi32>
          %next = arith.addi %partial, %x : i32
          scf.yield %next : i32
        }
        memref.store %sum, %sums[%j] : memref<4xi32>
      }
      scf.for %j = %c0 to %c4 step %c1 {
        %at = arith.addi %row, %j : index
        %sum = memref.load %sums[%j] : memref<4xi32>
        memref.store %sum, %out[%at] : memref<12xi32>
      }
    }
  } {sluice.rotate = 16 : i64}
  return
}

// The last loop writes a cell that the first one of the next iteration has read before: nothing moves.
func.func @in_order(%a: memref<24xi32>, %sums: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  scf.for %once = %c0 to %c2 step %c1 {
    scf.for %i = %c0 to %c3 step %c1 {
      scf.for %j = %c0 to %c4 step %c1 {
        %x = memref.load %a[%j] : memref<24xi32>
        memref.store %x, %sums[%j] : memref<4xi32>
      }
      scf.for %j = %c0 to %c4 step %c1 {
        %from = arith.subi %c3, %j : index
        %sum = memref.load %sums[%from] : memref<4xi32>
        memref.store %sum, %a[%j] : memref<24xi32>
      }
    }
  } {sluice.rotate = 16 : i64}
  return
}

// The copying has fewer iterations than the sums of the next iteration, whose last one reads what stands behind the loops; sums of cells that
// are just written take what is written.
func.func @triangle(%r: memref<8xi32>, %y: memref<8xi32>, %z: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.for %k = %c1 to %c8 step %c1 {
    %sum = scf.for %i = %c0 to %k step %c1 iter_args(%partial = %zero) -> (i32) {
      %a = memref.load %r[%i] : memref<8xi32>
      %b = memref.load %y[%i] : memref<8xi32>
      %c = arith.addi %a, %b : i32
      %next = arith.xori %partial, %c : i32
      scf.yield %next : i32
    }
    scf.for %i = %c0 to %k step %c1 {
      %a = memref.load %y[%i] : memref<8xi32>
      %b = arith.addi %a, %sum : i32
      memref.store %b, %z[%i] : memref<8xi32>
    }
    scf.for %i = %c0 to %k step %c1 {
      %a = memref.load %z[%i] : memref<8xi32>
      memref.store %a, %y[%i] : memref<8xi32>
    }
    memref.store %sum, %y[%k] : memref<8xi32>
  } {sluice.rotate = 16 : i64}
  return
}

// The last loop has more iterations than the first one behind it: nothing moves.
func.func @too_many(%y: memref<8xi32>, %z: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  scf.for %k = %c1 to %c8 step %c1 {
    %less = arith.subi %c8, %k : index
    scf.for %i = %c0 to %less step %c1 {
      memref.store %zero, %y[%i] : memref<8xi32>
    }
    scf.for %i = %c0 to %less step %c1 {
      memref.store %zero, %z[%i] : memref<8xi32>
    }
  } {sluice.rotate = 16 : i64}
  return
}

// Of two stores that move, one under a condition of its own, no load takes a value: it is read from the memory behind both.
func.func @two_stores(%y: memref<4xi32>, %z: memref<4xi32>, %out: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  scf.for %once = %c0 to %c2 step %c1 {
    scf.for %k = %c0 to %c4 step %c1 {
      scf.for %p = %c0 to %c4 step %c1 {
        %x = memref.load %y[%p] : memref<4xi32>
        memref.store %x, %out[%p] : memref<4xi32>
      }
      scf.for %p = %c0 to %c4 step %c1 {
        %a = memref.load %z[%p] : memref<4xi32>
        %late = arith.cmpi sgt, %p, %c1 : index
        memref.store %a, %y[%p] : memref<4xi32>
        scf.if %late {
          memref.store %zero, %y[%p] : memref<4xi32>
        } {sluice.guard}
      }
    }
  } {sluice.rotate = 16 : i64}
  return
}

//> module {
//>   func.func @overlap(%arg0: memref<24xi32>, %arg1: memref<4xi32>, %arg2: memref<12xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c2 = arith.constant 2 : index
//>     %c4 = arith.constant 4 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %c56 = arith.constant 56 : index
//>     %c1 = arith.constant 1 : index
//>     %true = arith.constant true
//>     %false = arith.constant false
//>     %c0_i2 = arith.constant 0 : i2
//>     %0:14 = scf.for %arg3 = %c0 to %c56 step %c1 iter_args(%arg4 = %c0_i32, %arg5 = %true, %arg6 = %false, %arg7 = %false, %arg8 = %false, %arg9 = %c0_i2, %arg10 = %false, %arg11 = %c0_i2, %arg12 = %false, %arg13 = %false, %arg14 = %false, %arg15 = %c0_i2, %arg16 = %false, %arg17 = %true) -> (i32, i1, i1, i1, i1, i2, i1, i2, i1, i1, i1, i2, i1, i1) {
//>       %1 = arith.index_castui %arg7 : i1 to index
//>       %2 = arith.index_castui %arg9 : i2 to index
//>       %3 = arith.index_castui %arg11 : i2 to index
//>       %4 = arith.index_castui %arg13 : i1 to index
//>       %5 = arith.index_castui %arg15 : i2 to index
//>       %6 = arith.xori %arg14, %true : i1
//>       %7 = arith.andi %arg5, %6 : i1
//>       %8 = arith.addi %4, %c1 : index
//>       %9 = arith.index_cast %8 : index to i1
//>       %10 = arith.cmpi eq, %arg13, %false : i1
//>       %11 = arith.andi %arg5, %arg14 : i1
//>       %12 = arith.xori %arg12, %true : i1
//>       %13 = arith.andi %11, %12 : i1
//>       %14 = arith.addi %3, %c1 : index
//>       %15 = arith.index_cast %14 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %16 = arith.cmpi eq, %arg11, %c-2_i2 : i2
//>       %17 = arith.andi %11, %arg12 : i1
//>       %18 = arith.xori %arg10, %true : i1
//>       %19 = arith.andi %17, %18 : i1
//>       %20 = arith.addi %2, %c1 : index
//>       %21 = arith.index_cast %20 : index to i2
//>       %c1_i2 = arith.constant 1 : i2
//>       %22 = arith.cmpi eq, %arg9, %c1_i2 : i2
//>       %23 = arith.andi %17, %arg10 : i1
//>       %24 = arith.xori %arg16, %true : i1
//>       %25 = arith.andi %arg6, %24 : i1
//>       %26 = arith.addi %5, %c1 : index
//>       %27 = arith.index_cast %26 : index to i2
//>       %28 = arith.cmpi eq, %arg15, %c-2_i2 : i2
//>       %29 = arith.andi %arg6, %arg16 : i1
//>       %30 = arith.xori %arg8, %true : i1
//>       %31 = arith.andi %29, %30 : i1
//>       %32 = arith.addi %1, %c1 : index
//>       %33 = arith.index_cast %32 : index to i1
//>       %34 = arith.cmpi eq, %arg7, %false : i1
//>       %35 = arith.cmpi sgt, %2, %c0 : index
//>       %36 = arith.andi %35, %arg17 : i1
//>       %c-1 = arith.constant -1 : index
//>       %37 = arith.addi %2, %c-1 : index
//>       %38 = arith.muli %37, %c4 : index
//>       %39 = arith.addi %38, %3 : index
//>       %40 = arith.muli %2, %c4 : index
//>       %41 = arith.muli %40, %c2 : index
//>       %42 = arith.muli %3, %c2 : index
//>       %43 = arith.addi %42, %4 : index
//>       %44 = arith.addi %41, %43 : index
//>       %45 = memref.load %arg0[%44] {sluice.access = 0 : i64} : memref<24xi32>
//>       %46 = arith.select %arg17, %c0_i32, %arg4 : i32
//>       %47 = arith.addi %46, %45 : i32
//>       scf.if %11 {
//>         memref.store %47, %arg1[%3] {sluice.access = 1 : i64} : memref<4xi32>
//>       } {sluice.guard}
//>       %48 = arith.select %arg6, %5, %3 : index
//>       %49 = arith.ori %arg6, %36 : i1
//>       %50 = scf.if %49 -> (i32) {
//>         %93 = memref.load %arg1[%48] {sluice.access = 2 : i64} : memref<4xi32>
//>         scf.yield %93 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.any, sluice.guard}
//>       %c8 = arith.constant 8 : index
//>       %51 = arith.addi %5, %c8 : index
//>       %52 = arith.select %arg6, %51, %39 : index
//>       scf.if %49 {
//>         memref.store %50, %arg2[%52] {sluice.access = 3 : i64} : memref<12xi32>
//>       } {sluice.guard}
//>       %53 = arith.select %arg5, %47, %46 : i32
//>       %54 = arith.ori %7, %13 : i1
//>       %55 = arith.ori %54, %19 : i1
//>       %56 = arith.ori %55, %31 : i1
//>       %57 = arith.ori %23, %25 : i1
//>       %58 = arith.select %31, %33, %arg7 : i1
//>       %59 = arith.andi %31, %34 : i1
//>       %60 = arith.xori %31, %true : i1
//>       %61 = arith.andi %60, %arg8 : i1
//>       %62 = arith.ori %59, %61 : i1
//>       %63 = arith.select %19, %21, %arg9 : i2
//>       %64 = arith.select %31, %c0_i2, %63 : i2
//>       %65 = arith.andi %19, %22 : i1
//>       %66 = arith.ori %19, %31 : i1
//>       %67 = arith.xori %66, %true : i1
//>       %68 = arith.andi %67, %arg10 : i1
//>       %69 = arith.ori %65, %68 : i1
//>       %70 = arith.select %13, %15, %arg11 : i2
//>       %71 = arith.select %19, %c0_i2, %70 : i2
//>       %72 = arith.select %31, %c0_i2, %71 : i2
//>       %73 = arith.andi %13, %16 : i1
//>       %74 = arith.ori %13, %19 : i1
//>       %75 = arith.ori %74, %31 : i1
//>       %76 = arith.xori %75, %true : i1
//>       %77 = arith.andi %76, %arg12 : i1
//>       %78 = arith.ori %73, %77 : i1
//>       %79 = arith.select %7, %9, %arg13 : i1
//>       %80 = arith.select %13, %false, %79 : i1
//>       %81 = arith.select %19, %false, %80 : i1
//>       %82 = arith.select %31, %false, %81 : i1
//>       %83 = arith.andi %7, %10 : i1
//>       %84 = arith.xori %56, %true : i1
//>       %85 = arith.andi %84, %arg14 : i1
//>       %86 = arith.ori %83, %85 : i1
//>       %87 = arith.select %23, %c0_i2, %arg15 : i2
//>       %88 = arith.select %25, %27, %87 : i2
//>       %89 = arith.andi %25, %28 : i1
//>       %90 = arith.xori %57, %true : i1
//>       %91 = arith.andi %90, %arg16 : i1
//>       %92 = arith.ori %89, %91 : i1
//>       scf.yield %53, %56, %57, %58, %62, %64, %69, %72, %78, %82, %86, %88, %92, %75 : i32, i1, i1, i1, i1, i2, i1, i2, i1, i1, i1, i2, i1, i1
//>     } {sluice.idle_steps = 0 : i64, sluice.rotated = 16 : i64, sluice.steps = [array<i64: 1, 1, 8>, array<i64: 1, 2, 4>, array<i64: 2, 1, 1>, array<i64: 3, 3, 28>]}
//>     return
//>   }
//>   func.func @in_order(%arg0: memref<24xi32>, %arg1: memref<4xi32>) {
//>     %c3 = arith.constant 3 : index
//>     %c0 = arith.constant 0 : index
//>     %c48 = arith.constant 48 : index
//>     %c1 = arith.constant 1 : index
//>     %true = arith.constant true
//>     %false = arith.constant false
//>     %c0_i2 = arith.constant 0 : i2
//>     %0:10 = scf.for %arg2 = %c0 to %c48 step %c1 iter_args(%arg3 = %true, %arg4 = %false, %arg5 = %false, %arg6 = %false, %arg7 = %c0_i2, %arg8 = %false, %arg9 = %c0_i2, %arg10 = %false, %arg11 = %c0_i2, %arg12 = %false) -> (i1, i1, i1, i1, i2, i1, i2, i1, i2, i1) {
//>       %1 = arith.index_castui %arg5 : i1 to index
//>       %2 = arith.index_castui %arg7 : i2 to index
//>       %3 = arith.index_castui %arg9 : i2 to index
//>       %4 = arith.index_castui %arg11 : i2 to index
//>       %5 = arith.xori %arg10, %true : i1
//>       %6 = arith.andi %arg3, %5 : i1
//>       %7 = arith.addi %3, %c1 : index
//>       %8 = arith.index_cast %7 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %9 = arith.cmpi eq, %arg9, %c-2_i2 : i2
//>       %10 = arith.andi %arg3, %arg10 : i1
//>       %11 = arith.xori %arg12, %true : i1
//>       %12 = arith.andi %arg4, %11 : i1
//>       %13 = arith.addi %4, %c1 : index
//>       %14 = arith.index_cast %13 : index to i2
//>       %15 = arith.cmpi eq, %arg11, %c-2_i2 : i2
//>       %16 = arith.andi %arg4, %arg12 : i1
//>       %17 = arith.xori %arg8, %true : i1
//>       %18 = arith.andi %16, %17 : i1
//>       %19 = arith.addi %2, %c1 : index
//>       %20 = arith.index_cast %19 : index to i2
//>       %c1_i2 = arith.constant 1 : i2
//>       %21 = arith.cmpi eq, %arg7, %c1_i2 : i2
//>       %22 = arith.andi %16, %arg8 : i1
//>       %23 = arith.xori %arg6, %true : i1
//>       %24 = arith.andi %22, %23 : i1
//>       %25 = arith.addi %1, %c1 : index
//>       %26 = arith.index_cast %25 : index to i1
//>       %27 = arith.cmpi eq, %arg5, %false : i1
//>       %28 = memref.load %arg0[%3] {sluice.access = 0 : i64} : memref<24xi32>
//>       scf.if %arg3 {
//>         memref.store %28, %arg1[%3] {sluice.access = 1 : i64} : memref<4xi32>
//>       } {sluice.guard}
//>       %29 = arith.subi %c3, %4 : index
//>       %30 = memref.load %arg1[%29] {sluice.access = 2 : i64} : memref<4xi32>
//>       scf.if %arg4 {
//>         memref.store %30, %arg0[%4] {sluice.access = 3 : i64} : memref<24xi32>
//>       } {sluice.guard}
//>       %31 = arith.ori %6, %18 : i1
//>       %32 = arith.ori %31, %24 : i1
//>       %33 = arith.ori %10, %12 : i1
//>       %34 = arith.select %24, %26, %arg5 : i1
//>       %35 = arith.andi %24, %27 : i1
//>       %36 = arith.xori %24, %true : i1
//>       %37 = arith.andi %36, %arg6 : i1
//>       %38 = arith.ori %35, %37 : i1
//>       %39 = arith.select %18, %20, %arg7 : i2
//>       %40 = arith.select %24, %c0_i2, %39 : i2
//>       %41 = arith.andi %18, %21 : i1
//>       %42 = arith.ori %18, %24 : i1
//>       %43 = arith.xori %42, %true : i1
//>       %44 = arith.andi %43, %arg8 : i1
//>       %45 = arith.ori %41, %44 : i1
//>       %46 = arith.select %6, %8, %arg9 : i2
//>       %47 = arith.select %18, %c0_i2, %46 : i2
//>       %48 = arith.select %24, %c0_i2, %47 : i2
//>       %49 = arith.andi %6, %9 : i1
//>       %50 = arith.xori %32, %true : i1
//>       %51 = arith.andi %50, %arg10 : i1
//>       %52 = arith.ori %49, %51 : i1
//>       %53 = arith.select %10, %c0_i2, %arg11 : i2
//>       %54 = arith.select %12, %14, %53 : i2
//>       %55 = arith.andi %12, %15 : i1
//>       %56 = arith.xori %33, %true : i1
//>       %57 = arith.andi %56, %arg12 : i1
//>       %58 = arith.ori %55, %57 : i1
//>       scf.yield %32, %33, %34, %38, %40, %45, %48, %52, %54, %58 : i1, i1, i1, i1, i2, i1, i2, i1, i2, i1
//>     } {sluice.idle_steps = 0 : i64, sluice.steps = [array<i64: 0, 3, 4>, array<i64: 1, 1, 8>, array<i64: 1, 2, 1>, array<i64: 2, 1, 1>, array<i64: 3, 0, 4>, array<i64: 3, 3, 8>]}
//>     return
//>   }
//>   func.func @triangle(%arg0: memref<8xi32>, %arg1: memref<8xi32>, %arg2: memref<8xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %c56 = arith.constant 56 : index
//>     %true = arith.constant true
//>     %false = arith.constant false
//>     %c1_i3 = arith.constant 1 : i3
//>     %c0_i3 = arith.constant 0 : i3
//>     %0:10 = scf.for %arg3 = %c0 to %c56 step %c1 iter_args(%arg4 = %c0_i32, %arg5 = %true, %arg6 = %false, %arg7 = %c1_i3, %arg8 = %false, %arg9 = %c0_i3, %arg10 = %true, %arg11 = %c0_i3, %arg12 = %true, %arg13 = %true) -> (i32, i1, i1, i3, i1, i3, i1, i3, i1, i1) {
//>       %1 = arith.index_castui %arg7 : i3 to index
//>       %2 = arith.index_castui %arg9 : i3 to index
//>       %3 = arith.index_castui %arg11 : i3 to index
//>       %4 = arith.xori %arg10, %true : i1
//>       %5 = arith.andi %arg5, %4 : i1
//>       %6 = arith.addi %2, %c1 : index
//>       %7 = arith.index_cast %6 : index to i3
//>       %c-1 = arith.constant -1 : index
//>       %8 = arith.addi %1, %c-1 : index
//>       %9 = arith.cmpi eq, %6, %8 : index
//>       %10 = arith.andi %arg5, %arg10 : i1
//>       %11 = arith.cmpi eq, %c0, %8 : index
//>       %12 = arith.xori %arg12, %true : i1
//>       %13 = arith.andi %arg6, %12 : i1
//>       %14 = arith.addi %3, %c1 : index
//>       %15 = arith.index_cast %14 : index to i3
//>       %16 = arith.cmpi eq, %14, %8 : index
//>       %17 = arith.andi %arg6, %arg12 : i1
//>       %18 = arith.xori %arg8, %true : i1
//>       %19 = arith.andi %17, %18 : i1
//>       %20 = arith.addi %1, %c1 : index
//>       %21 = arith.index_cast %20 : index to i3
//>       %c-2_i3 = arith.constant -2 : i3
//>       %22 = arith.cmpi eq, %arg7, %c-2_i3 : i3
//>       %23 = arith.cmpi eq, %c0, %1 : index
//>       %24 = arith.cmpi sgt, %1, %c1 : index
//>       %25 = arith.cmpi slt, %2, %8 : index
//>       %26 = arith.andi %24, %25 : i1
//>       %27 = arith.andi %26, %arg5 : i1
//>       %28 = scf.if %27 -> (i32) {
//>         %67 = memref.load %arg2[%2] {sluice.access = 0 : i64} : memref<8xi32>
//>         scf.yield %67 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.any, sluice.guard}
//>       %29 = memref.load %arg0[%2] {sluice.access = 1 : i64} : memref<8xi32>
//>       %30 = arith.xori %26, %true : i1
//>       %31 = arith.andi %30, %arg5 : i1
//>       %32 = arith.ori %arg6, %31 : i1
//>       %33 = arith.select %arg6, %3, %2 : index
//>       %34 = scf.if %32 -> (i32) {
//>         %67 = memref.load %arg1[%33] {sluice.access = 2 : i64} : memref<8xi32>
//>         scf.yield %67 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.any, sluice.guard}
//>       %35 = arith.select %26, %28, %34 : i32
//>       %36 = arith.addi %29, %35 : i32
//>       %37 = arith.select %arg13, %c0_i32, %arg4 : i32
//>       %38 = arith.xori %37, %36 : i32
//>       %39 = arith.addi %34, %arg4 : i32
//>       scf.if %arg6 {
//>         memref.store %39, %arg2[%3] {sluice.access = 3 : i64} : memref<8xi32>
//>       } {sluice.guard}
//>       %40 = arith.select %arg6, %arg4, %28 : i32
//>       %41 = arith.select %arg6, %1, %2 : index
//>       %42 = arith.ori %17, %27 : i1
//>       scf.if %42 {
//>         memref.store %40, %arg1[%41] {sluice.access = 4 : i64} : memref<8xi32>
//>       } {sluice.guard}
//>       %43 = arith.select %arg5, %38, %37 : i32
//>       %44 = arith.ori %5, %19 : i1
//>       %45 = arith.ori %10, %13 : i1
//>       %46 = arith.select %19, %21, %arg7 : i3
//>       %47 = arith.andi %19, %22 : i1
//>       %48 = arith.xori %19, %true : i1
//>       %49 = arith.andi %48, %arg8 : i1
//>       %50 = arith.ori %47, %49 : i1
//>       %51 = arith.select %5, %7, %arg9 : i3
//>       %52 = arith.select %19, %c0_i3, %51 : i3
//>       %53 = arith.andi %5, %9 : i1
//>       %54 = arith.andi %19, %23 : i1
//>       %55 = arith.ori %53, %54 : i1
//>       %56 = arith.xori %44, %true : i1
//>       %57 = arith.andi %56, %arg10 : i1
//>       %58 = arith.ori %55, %57 : i1
//>       %59 = arith.select %10, %c0_i3, %arg11 : i3
//>       %60 = arith.select %13, %15, %59 : i3
//>       %61 = arith.andi %10, %11 : i1
//>       %62 = arith.andi %13, %16 : i1
//>       %63 = arith.ori %61, %62 : i1
//>       %64 = arith.xori %45, %true : i1
//>       %65 = arith.andi %64, %arg12 : i1
//>       %66 = arith.ori %63, %65 : i1
//>       scf.yield %43, %44, %45, %46, %50, %52, %58, %60, %66, %19 : i32, i1, i1, i3, i1, i3, i1, i3, i1, i1
//>     } {sluice.idle_steps = 0 : i64, sluice.rotated = 16 : i64, sluice.steps = [array<i64: 0, 3, 2>, array<i64: 2, 4, 1>, array<i64: 3, 0, 1>, array<i64: 3, 3, 3>, array<i64: 4, 2, 2>, array<i64: 4, 4, 4>]}
//>     %c7 = arith.constant 7 : index
//>     scf.for %arg3 = %c0 to %c7 step %c1 {
//>       %1 = memref.load %arg2[%arg3] : memref<8xi32>
//>       memref.store %1, %arg1[%arg3] : memref<8xi32>
//>     }
//>     return
//>   }
//>   func.func @too_many(%arg0: memref<8xi32>, %arg1: memref<8xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c8 = arith.constant 8 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %c56 = arith.constant 56 : index
//>     %c1 = arith.constant 1 : index
//>     %true = arith.constant true
//>     %false = arith.constant false
//>     %c1_i3 = arith.constant 1 : i3
//>     %c0_i3 = arith.constant 0 : i3
//>     %0:8 = scf.for %arg2 = %c0 to %c56 step %c1 iter_args(%arg3 = %true, %arg4 = %false, %arg5 = %c1_i3, %arg6 = %false, %arg7 = %c0_i3, %arg8 = %false, %arg9 = %c0_i3, %arg10 = %false) -> (i1, i1, i3, i1, i3, i1, i3, i1) {
//>       %1 = arith.index_castui %arg5 : i3 to index
//>       %2 = arith.index_castui %arg7 : i3 to index
//>       %3 = arith.index_castui %arg9 : i3 to index
//>       %4 = arith.xori %arg8, %true : i1
//>       %5 = arith.andi %arg3, %4 : i1
//>       %6 = arith.addi %2, %c1 : index
//>       %7 = arith.index_cast %6 : index to i3
//>       %8 = arith.subi %c8, %1 : index
//>       %c-1 = arith.constant -1 : index
//>       %9 = arith.addi %8, %c-1 : index
//>       %10 = arith.cmpi eq, %6, %9 : index
//>       %11 = arith.andi %arg3, %arg8 : i1
//>       %12 = arith.cmpi eq, %c0, %9 : index
//>       %13 = arith.xori %arg10, %true : i1
//>       %14 = arith.andi %arg4, %13 : i1
//>       %15 = arith.addi %3, %c1 : index
//>       %16 = arith.index_cast %15 : index to i3
//>       %17 = arith.cmpi eq, %15, %9 : index
//>       %18 = arith.andi %arg4, %arg10 : i1
//>       %19 = arith.xori %arg6, %true : i1
//>       %20 = arith.andi %18, %19 : i1
//>       %21 = arith.addi %1, %c1 : index
//>       %22 = arith.index_cast %21 : index to i3
//>       %c-2_i3 = arith.constant -2 : i3
//>       %23 = arith.cmpi eq, %arg5, %c-2_i3 : i3
//>       %24 = arith.subi %c8, %21 : index
//>       %25 = arith.addi %24, %c-1 : index
//>       %26 = arith.cmpi eq, %c0, %25 : index
//>       scf.if %arg3 {
//>         memref.store %c0_i32, %arg0[%2] {sluice.access = 0 : i64} : memref<8xi32>
//>       } {sluice.guard}
//>       scf.if %arg4 {
//>         memref.store %c0_i32, %arg1[%3] {sluice.access = 1 : i64} : memref<8xi32>
//>       } {sluice.guard}
//>       %27 = arith.ori %5, %20 : i1
//>       %28 = arith.ori %11, %14 : i1
//>       %29 = arith.select %20, %22, %arg5 : i3
//>       %30 = arith.andi %20, %23 : i1
//>       %31 = arith.xori %20, %true : i1
//>       %32 = arith.andi %31, %arg6 : i1
//>       %33 = arith.ori %30, %32 : i1
//>       %34 = arith.select %5, %7, %arg7 : i3
//>       %35 = arith.select %20, %c0_i3, %34 : i3
//>       %36 = arith.andi %5, %10 : i1
//>       %37 = arith.andi %20, %26 : i1
//>       %38 = arith.ori %36, %37 : i1
//>       %39 = arith.xori %27, %true : i1
//>       %40 = arith.andi %39, %arg8 : i1
//>       %41 = arith.ori %38, %40 : i1
//>       %42 = arith.select %11, %c0_i3, %arg9 : i3
//>       %43 = arith.select %14, %16, %42 : i3
//>       %44 = arith.andi %11, %12 : i1
//>       %45 = arith.andi %14, %17 : i1
//>       %46 = arith.ori %44, %45 : i1
//>       %47 = arith.xori %28, %true : i1
//>       %48 = arith.andi %47, %arg10 : i1
//>       %49 = arith.ori %46, %48 : i1
//>       scf.yield %27, %28, %29, %33, %35, %41, %43, %49 : i1, i1, i3, i1, i3, i1, i3, i1
//>     } {sluice.idle_steps = 0 : i64, sluice.steps = [array<i64: 0, 0, 4>, array<i64: 1, 1, 3>]}
//>     return
//>   }
//>   func.func @two_stores(%arg0: memref<4xi32>, %arg1: memref<4xi32>, %arg2: memref<4xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %c40 = arith.constant 40 : index
//>     %true = arith.constant true
//>     %false = arith.constant false
//>     %c0_i2 = arith.constant 0 : i2
//>     %0:10 = scf.for %arg3 = %c0 to %c40 step %c1 iter_args(%arg4 = %true, %arg5 = %false, %arg6 = %false, %arg7 = %false, %arg8 = %c0_i2, %arg9 = %false, %arg10 = %c0_i2, %arg11 = %false, %arg12 = %c0_i2, %arg13 = %false) -> (i1, i1, i1, i1, i2, i1, i2, i1, i2, i1) {
//>       %1 = arith.index_castui %arg6 : i1 to index
//>       %2 = arith.index_castui %arg8 : i2 to index
//>       %3 = arith.index_castui %arg10 : i2 to index
//>       %4 = arith.index_castui %arg12 : i2 to index
//>       %5 = arith.xori %arg11, %true : i1
//>       %6 = arith.andi %arg4, %5 : i1
//>       %7 = arith.addi %3, %c1 : index
//>       %8 = arith.index_cast %7 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %9 = arith.cmpi eq, %arg10, %c-2_i2 : i2
//>       %10 = arith.andi %arg4, %arg11 : i1
//>       %11 = arith.xori %arg9, %true : i1
//>       %12 = arith.andi %10, %11 : i1
//>       %13 = arith.addi %2, %c1 : index
//>       %14 = arith.index_cast %13 : index to i2
//>       %15 = arith.cmpi eq, %arg8, %c-2_i2 : i2
//>       %16 = arith.andi %10, %arg9 : i1
//>       %17 = arith.xori %arg13, %true : i1
//>       %18 = arith.andi %arg5, %17 : i1
//>       %19 = arith.addi %4, %c1 : index
//>       %20 = arith.index_cast %19 : index to i2
//>       %21 = arith.cmpi eq, %arg12, %c-2_i2 : i2
//>       %22 = arith.andi %arg5, %arg13 : i1
//>       %23 = arith.xori %arg7, %true : i1
//>       %24 = arith.andi %22, %23 : i1
//>       %25 = arith.addi %1, %c1 : index
//>       %26 = arith.index_cast %25 : index to i1
//>       %27 = arith.cmpi eq, %arg6, %false : i1
//>       %28 = arith.cmpi sgt, %2, %c0 : index
//>       %29 = arith.andi %28, %arg4 : i1
//>       %30 = arith.cmpi sgt, %3, %c1 : index
//>       %31 = arith.andi %30, %28 : i1
//>       %32 = arith.andi %31, %arg4 : i1
//>       %33 = arith.ori %arg5, %29 : i1
//>       %34 = arith.select %arg5, %4, %3 : index
//>       %35 = scf.if %33 -> (i32) {
//>         %68 = memref.load %arg1[%34] {sluice.access = 2 : i64} : memref<4xi32>
//>         scf.yield %68 : i32
//>       } else {
//>         scf.yield %c0_i32 : i32
//>       } {sluice.any, sluice.guard}
//>       scf.if %33 {
//>         memref.store %35, %arg0[%34] {sluice.access = 3 : i64} : memref<4xi32>
//>       } {sluice.guard}
//>       %36 = arith.cmpi sgt, %4, %c1 : index
//>       %37 = arith.andi %36, %arg5 : i1
//>       %38 = arith.ori %37, %32 : i1
//>       scf.if %38 {
//>         memref.store %c0_i32, %arg0[%34] {sluice.access = 4 : i64} : memref<4xi32>
//>       } {sluice.guard}
//>       %39 = memref.load %arg0[%3] {sluice.access = 0 : i64} : memref<4xi32>
//>       scf.if %arg4 {
//>         memref.store %39, %arg2[%3] {sluice.access = 1 : i64} : memref<4xi32>
//>       } {sluice.guard}
//>       %40 = arith.ori %6, %12 : i1
//>       %41 = arith.ori %40, %24 : i1
//>       %42 = arith.ori %16, %18 : i1
//>       %43 = arith.select %24, %26, %arg6 : i1
//>       %44 = arith.andi %24, %27 : i1
//>       %45 = arith.xori %24, %true : i1
//>       %46 = arith.andi %45, %arg7 : i1
//>       %47 = arith.ori %44, %46 : i1
//>       %48 = arith.select %12, %14, %arg8 : i2
//>       %49 = arith.select %24, %c0_i2, %48 : i2
//>       %50 = arith.andi %12, %15 : i1
//>       %51 = arith.ori %12, %24 : i1
//>       %52 = arith.xori %51, %true : i1
//>       %53 = arith.andi %52, %arg9 : i1
//>       %54 = arith.ori %50, %53 : i1
//>       %55 = arith.select %6, %8, %arg10 : i2
//>       %56 = arith.select %12, %c0_i2, %55 : i2
//>       %57 = arith.select %24, %c0_i2, %56 : i2
//>       %58 = arith.andi %6, %9 : i1
//>       %59 = arith.xori %41, %true : i1
//>       %60 = arith.andi %59, %arg11 : i1
//>       %61 = arith.ori %58, %60 : i1
//>       %62 = arith.select %16, %c0_i2, %arg12 : i2
//>       %63 = arith.select %18, %20, %62 : i2
//>       %64 = arith.andi %18, %21 : i1
//>       %65 = arith.xori %42, %true : i1
//>       %66 = arith.andi %65, %arg13 : i1
//>       %67 = arith.ori %64, %66 : i1
//>       scf.yield %41, %42, %43, %47, %49, %54, %57, %61, %63, %67 : i1, i1, i1, i1, i2, i1, i2, i1, i2, i1
//>     } {sluice.idle_steps = 0 : i64, sluice.rotated = 16 : i64, sluice.steps = [array<i64: 0, 3, 4>, array<i64: 1, 1, 4>, array<i64: 3, 0, 0>, array<i64: 3, 3, 4>, array<i64: 3, 4, 0>, array<i64: 4, 0, 0>, array<i64: 4, 3, 4>]}
//>     return
//>   }
//> }
