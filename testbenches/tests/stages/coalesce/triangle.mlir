// passes: canonicalise, coalesce, canonicalise

// Rows of growing length, the first one empty; each row has a step of its own for what it stores.
func.func @triangle(%a: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  scf.for %i = %c0 to %c4 step %c1 {
    %row = arith.muli %i, %c4 : index
    %diagonal = arith.addi %row, %i : index
    scf.for %j = %c0 to %i step %c1 {
      %at = arith.addi %row, %j : index
      %x = memref.load %a[%at] : memref<16xi32>
      %y = arith.addi %x, %x : i32
      memref.store %y, %a[%at] : memref<16xi32>
    }
    memref.store %zero, %a[%diagonal] : memref<16xi32>
  }
  return
}

//> module {
//>   func.func @triangle(%arg0: memref<16xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c4 = arith.constant 4 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %c10 = arith.constant 10 : index
//>     %c1 = arith.constant 1 : index
//>     %false = arith.constant false
//>     %true = arith.constant true
//>     %c0_i2 = arith.constant 0 : i2
//>     %0:6 = scf.for %arg1 = %c0 to %c10 step %c1 iter_args(%arg2 = %false, %arg3 = %true, %arg4 = %c0_i2, %arg5 = %false, %arg6 = %c0_i2, %arg7 = %true) -> (i1, i1, i2, i1, i2, i1) {
//>       %1 = arith.index_castui %arg4 : i2 to index
//>       %2 = arith.index_castui %arg6 : i2 to index
//>       %3 = arith.xori %arg7, %true : i1
//>       %4 = arith.andi %arg2, %3 : i1
//>       %5 = arith.addi %2, %c1 : index
//>       %6 = arith.index_cast %5 : index to i2
//>       %c-1 = arith.constant -1 : index
//>       %7 = arith.addi %1, %c-1 : index
//>       %8 = arith.cmpi eq, %5, %7 : index
//>       %9 = arith.andi %arg2, %arg7 : i1
//>       %10 = arith.xori %arg5, %true : i1
//>       %11 = arith.andi %arg3, %10 : i1
//>       %12 = arith.addi %1, %c1 : index
//>       %13 = arith.index_cast %12 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %14 = arith.cmpi eq, %arg4, %c-2_i2 : i2
//>       %15 = arith.cmpi slt, %c0, %12 : index
//>       %16 = arith.andi %11, %15 : i1
//>       %17 = arith.cmpi eq, %c0, %1 : index
//>       %18 = arith.xori %15, %true : i1
//>       %19 = arith.andi %11, %18 : i1
//>       %20 = arith.muli %1, %c4 : index
//>       %21 = arith.addi %20, %2 : index
//>       %22 = memref.load %arg0[%21] {sluice.access = 0 : i64} : memref<16xi32>
//>       %23 = arith.addi %22, %22 : i32
//>       %24 = arith.addi %20, %1 : index
//>       %25 = arith.select %arg3, %c0_i32, %23 : i32
//>       %26 = arith.select %arg3, %24, %21 : index
//>       %27 = arith.ori %arg3, %arg2 : i1
//>       scf.if %27 {
//>         memref.store %25, %arg0[%26] {sluice.access = 1 : i64} : memref<16xi32>
//>       } {sluice.guard}
//>       %28 = arith.ori %4, %16 : i1
//>       %29 = arith.ori %9, %19 : i1
//>       %30 = arith.ori %16, %19 : i1
//>       %31 = arith.select %30, %13, %arg4 : i2
//>       %32 = arith.andi %16, %14 : i1
//>       %33 = arith.andi %19, %14 : i1
//>       %34 = arith.ori %32, %33 : i1
//>       %35 = arith.xori %30, %true : i1
//>       %36 = arith.andi %35, %arg5 : i1
//>       %37 = arith.ori %34, %36 : i1
//>       %38 = arith.select %4, %6, %arg6 : i2
//>       %39 = arith.select %16, %c0_i2, %38 : i2
//>       %40 = arith.andi %4, %8 : i1
//>       %41 = arith.andi %16, %17 : i1
//>       %42 = arith.ori %40, %41 : i1
//>       %43 = arith.xori %28, %true : i1
//>       %44 = arith.andi %43, %arg7 : i1
//>       %45 = arith.ori %42, %44 : i1
//>       scf.yield %28, %29, %31, %37, %39, %45 : i1, i1, i2, i1, i2, i1
//>     } {sluice.idle_steps = 0 : i64, sluice.steps = [array<i64: 0, 1, 0>]}
//>     return
//>   }
//> }
