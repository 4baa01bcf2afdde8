// passes: canonicalise, coalesce, canonicalise

// The next iteration reads what this one stores last: nothing is rotated.
func.func @in_order(%a: memref<5xi32>, %b: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<5xi32>
    %sum = scf.for %j = %c0 to %c8 step %c1 iter_args(%partial = %x) -> (i32) {
      %row = arith.muli %i, %c8 : index
      %at = arith.addi %row, %j : index
      %y = memref.load %b[%at] : memref<32xi32>
      %next = arith.addi %partial, %y : i32
      scf.yield %next : i32
    }
    %to = arith.addi %i, %c1 : index
    memref.store %sum, %a[%to] : memref<5xi32>
  } {sluice.rotate = 3 : i64}
  return
}

//> module {
//>   func.func @in_order(%arg0: memref<5xi32>, %arg1: memref<32xi32>) {
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     %c0 = arith.constant 0 : index
//>     %c32 = arith.constant 32 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %c0_i2 = arith.constant 0 : i2
//>     %false = arith.constant false
//>     %c0_i3 = arith.constant 0 : i3
//>     %true = arith.constant true
//>     %0:6 = scf.for %arg2 = %c0 to %c32 step %c1 iter_args(%arg3 = %c0_i32, %arg4 = %c0_i2, %arg5 = %false, %arg6 = %c0_i3, %arg7 = %false, %arg8 = %true) -> (i32, i2, i1, i3, i1, i1) {
//>       %1 = arith.index_castui %arg4 : i2 to index
//>       %2 = arith.index_castui %arg6 : i3 to index
//>       %3 = arith.xori %arg7, %true : i1
//>       %4 = arith.addi %2, %c1 : index
//>       %5 = arith.index_cast %4 : index to i3
//>       %c-2_i3 = arith.constant -2 : i3
//>       %6 = arith.cmpi eq, %arg6, %c-2_i3 : i3
//>       %7 = arith.xori %arg5, %true : i1
//>       %8 = arith.andi %arg7, %7 : i1
//>       %9 = arith.addi %1, %c1 : index
//>       %10 = arith.index_cast %9 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %11 = arith.cmpi eq, %arg4, %c-2_i2 : i2
//>       %12 = memref.load %arg0[%1] {sluice.access = 0 : i64} : memref<5xi32>
//>       %13 = arith.muli %1, %c8 : index
//>       %14 = arith.addi %13, %2 : index
//>       %15 = memref.load %arg1[%14] {sluice.access = 1 : i64} : memref<32xi32>
//>       %16 = arith.select %arg8, %12, %arg3 : i32
//>       %17 = arith.addi %16, %15 : i32
//>       scf.if %arg7 {
//>         memref.store %17, %arg0[%9] {sluice.access = 2 : i64} : memref<5xi32>
//>       } {sluice.guard}
//>       %18 = arith.select %8, %10, %arg4 : i2
//>       %19 = arith.andi %8, %11 : i1
//>       %20 = arith.xori %8, %true : i1
//>       %21 = arith.andi %20, %arg5 : i1
//>       %22 = arith.ori %19, %21 : i1
//>       %23 = arith.select %3, %5, %arg6 : i3
//>       %24 = arith.select %8, %c0_i3, %23 : i3
//>       %25 = arith.andi %3, %6 : i1
//>       %26 = arith.ori %3, %8 : i1
//>       %27 = arith.xori %26, %true : i1
//>       %28 = arith.andi %27, %arg7 : i1
//>       %29 = arith.ori %25, %28 : i1
//>       scf.yield %17, %18, %22, %24, %29, %8 : i32, i2, i1, i3, i1, i1
//>     } {sluice.idle_steps = 0 : i64, sluice.steps = [array<i64: 2, 0, 1>]}
//>     return
//>   }
//> }
