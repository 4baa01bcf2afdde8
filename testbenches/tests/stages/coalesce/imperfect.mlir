// passes: canonicalise, coalesce, canonicalise

// A nest with work before and behind its inner loop: the work runs in the first and in the last step of the inner loop.
func.func @scaled_sums(%a: memref<24xi32>, %s: memref<4xi32>, %o: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %start = memref.load %s[%i] : memref<4xi32>
    %sum = scf.for %j = %c0 to %c6 step %c1 iter_args(%acc = %start) -> (i32) {
      %row = arith.muli %i, %c6 : index
      %at = arith.addi %row, %j : index
      %x = memref.load %a[%at] : memref<24xi32>
      %next = arith.addi %acc, %x : i32
      scf.yield %next : i32
    }
    memref.store %sum, %o[%i] : memref<4xi32>
  }
  return
}

//> module {
//>   func.func @scaled_sums(%arg0: memref<24xi32>, %arg1: memref<4xi32>, %arg2: memref<4xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c24 = arith.constant 24 : index
//>     %c1 = arith.constant 1 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %c0_i2 = arith.constant 0 : i2
//>     %false = arith.constant false
//>     %c0_i3 = arith.constant 0 : i3
//>     %c0_i5 = arith.constant 0 : i5
//>     %true = arith.constant true
//>     %0:7 = scf.for %arg3 = %c0 to %c24 step %c1 iter_args(%arg4 = %c0_i32, %arg5 = %c0_i2, %arg6 = %false, %arg7 = %c0_i3, %arg8 = %false, %arg9 = %c0_i5, %arg10 = %true) -> (i32, i2, i1, i3, i1, i5, i1) {
//>       %1 = arith.index_castui %arg5 : i2 to index
//>       %2 = arith.index_castui %arg7 : i3 to index
//>       %3 = arith.index_castui %arg9 : i5 to index
//>       %4 = arith.xori %arg8, %true : i1
//>       %5 = arith.addi %2, %c1 : index
//>       %6 = arith.index_cast %5 : index to i3
//>       %c-4_i3 = arith.constant -4 : i3
//>       %7 = arith.cmpi eq, %arg7, %c-4_i3 : i3
//>       %8 = arith.xori %arg6, %true : i1
//>       %9 = arith.andi %arg8, %8 : i1
//>       %10 = arith.addi %1, %c1 : index
//>       %11 = arith.index_cast %10 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %12 = arith.cmpi eq, %arg5, %c-2_i2 : i2
//>       %13 = memref.load %arg1[%1] {sluice.access = 0 : i64} : memref<4xi32>
//>       %14 = arith.addi %3, %2 : index
//>       %15 = memref.load %arg0[%14] {sluice.access = 1 : i64} : memref<24xi32>
//>       %16 = arith.select %arg10, %13, %arg4 : i32
//>       %17 = arith.addi %16, %15 : i32
//>       scf.if %arg8 {
//>         memref.store %17, %arg2[%1] {sluice.access = 2 : i64} : memref<4xi32>
//>       } {sluice.guard}
//>       %18 = arith.select %9, %11, %arg5 : i2
//>       %19 = arith.andi %9, %12 : i1
//>       %20 = arith.xori %9, %true : i1
//>       %21 = arith.andi %20, %arg6 : i1
//>       %22 = arith.ori %19, %21 : i1
//>       %23 = arith.select %4, %6, %arg7 : i3
//>       %24 = arith.select %9, %c0_i3, %23 : i3
//>       %25 = arith.andi %4, %7 : i1
//>       %26 = arith.ori %4, %9 : i1
//>       %27 = arith.xori %26, %true : i1
//>       %28 = arith.andi %27, %arg8 : i1
//>       %29 = arith.ori %25, %28 : i1
//>       %c6_i5 = arith.constant 6 : i5
//>       %30 = arith.addi %arg9, %c6_i5 : i5
//>       %31 = arith.select %9, %30, %arg9 : i5
//>       scf.yield %17, %18, %22, %24, %29, %31, %9 : i32, i2, i1, i3, i1, i5, i1
//>     } {sluice.idle_steps = 0 : i64, sluice.steps = []}
//>     return
//>   }
//> }
