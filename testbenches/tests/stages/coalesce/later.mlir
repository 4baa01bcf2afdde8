// passes: canonicalise, coalesce, canonicalise
// config: limits: {multiply: 1}

// The sum of a row is scaled and stored while the next row is added up, that of the last row behind the nest.
func.func @later(%a: memref<4xi32>, %b: memref<32xi32>, %k: i32) {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %sum = scf.for %j = %c0 to %c8 step %c1 iter_args(%partial = %zero) -> (i32) {
      %row = arith.muli %i, %c8 : index
      %at = arith.addi %row, %j : index
      %y = memref.load %b[%at] : memref<32xi32>
      %z = arith.muli %y, %y : i32
      %next = arith.addi %partial, %z : i32
      scf.yield %next : i32
    }
    %scaled = arith.muli %sum, %k : i32
    memref.store %scaled, %a[%i] : memref<4xi32>
  } {sluice.rotate = 2 : i64}
  return
}

//> module {
//>   func.func @later(%arg0: memref<4xi32>, %arg1: memref<32xi32>, %arg2: i32) {
//>     %c0_i32 = arith.constant 0 : i32
//>     %c0 = arith.constant 0 : index
//>     %c8 = arith.constant 8 : index
//>     %c36 = arith.constant 36 : index
//>     %c1 = arith.constant 1 : index
//>     %true = arith.constant true
//>     %false = arith.constant false
//>     %c0_i2 = arith.constant 0 : i2
//>     %c0_i3 = arith.constant 0 : i3
//>     %0:9 = scf.for %arg3 = %c0 to %c36 step %c1 iter_args(%arg4 = %c0_i32, %arg5 = %c0_i32, %arg6 = %true, %arg7 = %false, %arg8 = %c0_i2, %arg9 = %false, %arg10 = %c0_i3, %arg11 = %false, %arg12 = %true) -> (i32, i32, i1, i1, i2, i1, i3, i1, i1) {
//>       %2 = arith.index_castui %arg8 : i2 to index
//>       %3 = arith.index_castui %arg10 : i3 to index
//>       %4 = arith.xori %arg11, %true : i1
//>       %5 = arith.andi %arg6, %4 : i1
//>       %6 = arith.addi %3, %c1 : index
//>       %7 = arith.index_cast %6 : index to i3
//>       %c-2_i3 = arith.constant -2 : i3
//>       %8 = arith.cmpi eq, %arg10, %c-2_i3 : i3
//>       %9 = arith.andi %arg6, %arg11 : i1
//>       %10 = arith.xori %arg9, %true : i1
//>       %11 = arith.andi %arg7, %10 : i1
//>       %12 = arith.addi %2, %c1 : index
//>       %13 = arith.index_cast %12 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %14 = arith.cmpi eq, %arg8, %c-2_i2 : i2
//>       %15 = arith.muli %2, %c8 : index
//>       %16 = arith.addi %15, %3 : index
//>       %17 = memref.load %arg1[%16] {sluice.access = 0 : i64} : memref<32xi32>
//>       %18 = arith.select %arg12, %c0_i32, %arg5 : i32
//>       %19 = builtin.unrealized_conversion_cast %arg4 : i32 to i32 {sluice.unchanged = 9 : i64}
//>       %20 = arith.select %arg7, %19, %17 : i32
//>       %21 = arith.select %arg7, %arg2, %17 : i32
//>       %22 = arith.muli %20, %21 : i32
//>       %23 = arith.addi %18, %22 : i32
//>       %24 = arith.cmpi sgt, %2, %c0 : index
//>       %c-1 = arith.constant -1 : index
//>       %25 = arith.addi %2, %c-1 : index
//>       %26 = arith.andi %24, %arg7 : i1
//>       scf.if %26 {
//>         memref.store %22, %arg0[%25] {sluice.access = 1 : i64} : memref<4xi32>
//>       } {sluice.guard}
//>       %27 = arith.select %arg7, %arg5, %arg4 : i32
//>       %28 = arith.select %arg6, %23, %18 : i32
//>       %29 = arith.ori %5, %11 : i1
//>       %30 = arith.select %11, %13, %arg8 : i2
//>       %31 = arith.andi %11, %14 : i1
//>       %32 = arith.xori %11, %true : i1
//>       %33 = arith.andi %32, %arg9 : i1
//>       %34 = arith.ori %31, %33 : i1
//>       %35 = arith.select %5, %7, %arg10 : i3
//>       %36 = arith.select %11, %c0_i3, %35 : i3
//>       %37 = arith.andi %5, %8 : i1
//>       %38 = arith.xori %29, %true : i1
//>       %39 = arith.andi %38, %arg11 : i1
//>       %40 = arith.ori %37, %39 : i1
//>       scf.yield %27, %28, %29, %9, %30, %34, %36, %40, %11 : i32, i32, i1, i1, i2, i1, i3, i1, i1
//>     } {sluice.idle_steps = 0 : i64, sluice.rotated = 2 : i64, sluice.steps = []}
//>     %c3 = arith.constant 3 : index
//>     %1 = arith.muli %0#0, %arg2 : i32
//>     memref.store %1, %arg0[%c3] : memref<4xi32>
//>     return
//>   }
//> }
