// passes: canonicalise, coalesce, canonicalise
// config: limits: {multiply: 1}

// Two products in an iteration and one multiplier: each iteration is two steps, and what is between the loops is one.
func.func @phases(%a: memref<4xi32>, %b: memref<32xi32>, %k: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %x = memref.load %a[%i] : memref<4xi32>
    %scaled = arith.muli %x, %k : i32
    scf.for %j = %c0 to %c8 step %c1 {
      %row = arith.muli %i, %c8 : index
      %at = arith.addi %row, %j : index
      %y = memref.load %b[%at] : memref<32xi32>
      %z = arith.muli %scaled, %y : i32
      %square = arith.muli %y, %y : i32
      %sum = arith.addi %z, %square : i32
      memref.store %sum, %b[%at] : memref<32xi32>
    }
  } {sluice.phases = 1 : i64}
  return
}

//> module {
//>   func.func @phases(%arg0: memref<4xi32>, %arg1: memref<32xi32>, %arg2: i32) {
//>     %c8 = arith.constant 8 : index
//>     %c0 = arith.constant 0 : index
//>     %c68 = arith.constant 68 : index
//>     %c1 = arith.constant 1 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %false = arith.constant false
//>     %true = arith.constant true
//>     %c0_i2 = arith.constant 0 : i2
//>     %c0_i3 = arith.constant 0 : i3
//>     %0:10 = scf.for %arg3 = %c0 to %c68 step %c1 iter_args(%arg4 = %c0_i32, %arg5 = %c0_i32, %arg6 = %c0_i32, %arg7 = %false, %arg8 = %true, %arg9 = %false, %arg10 = %c0_i2, %arg11 = %false, %arg12 = %c0_i3, %arg13 = %false) -> (i32, i32, i32, i1, i1, i1, i2, i1, i3, i1) {
//>       %1 = arith.index_castui %arg10 : i2 to index
//>       %2 = arith.index_castui %arg12 : i3 to index
//>       %3 = arith.xori %arg13, %true : i1
//>       %4 = arith.andi %arg7, %3 : i1
//>       %5 = arith.addi %2, %c1 : index
//>       %6 = arith.index_cast %5 : index to i3
//>       %c-2_i3 = arith.constant -2 : i3
//>       %7 = arith.cmpi eq, %arg12, %c-2_i3 : i3
//>       %8 = arith.andi %arg7, %arg13 : i1
//>       %9 = arith.xori %arg11, %true : i1
//>       %10 = arith.andi %8, %9 : i1
//>       %11 = arith.addi %1, %c1 : index
//>       %12 = arith.index_cast %11 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %13 = arith.cmpi eq, %arg10, %c-2_i2 : i2
//>       %14 = memref.load %arg0[%1] {sluice.access = 0 : i64} : memref<4xi32>
//>       %15 = arith.select %arg8, %14, %arg5 : i32
//>       %16 = arith.select %arg8, %arg2, %arg5 : i32
//>       %17 = arith.muli %1, %c8 : index
//>       %18 = arith.addi %17, %2 : index
//>       %19 = memref.load %arg1[%18] {sluice.access = 1 : i64} : memref<32xi32>
//>       %20 = arith.select %arg9, %arg4, %15 : i32
//>       %21 = arith.select %arg9, %19, %16 : i32
//>       %22 = arith.muli %20, %21 : i32
//>       %23 = arith.addi %arg6, %22 : i32
//>       scf.if %arg7 {
//>         memref.store %23, %arg1[%18] {sluice.access = 2 : i64} : memref<32xi32>
//>       } {sluice.guard}
//>       %24 = arith.select %arg8, %22, %arg4 : i32
//>       %25 = arith.select %arg9, %19, %arg5 : i32
//>       %26 = arith.select %arg9, %22, %arg6 : i32
//>       %27 = arith.ori %4, %arg8 : i1
//>       %28 = arith.select %10, %12, %arg10 : i2
//>       %29 = arith.andi %10, %13 : i1
//>       %30 = arith.xori %10, %true : i1
//>       %31 = arith.andi %30, %arg11 : i1
//>       %32 = arith.ori %29, %31 : i1
//>       %33 = arith.select %4, %6, %arg12 : i3
//>       %34 = arith.select %arg8, %c0_i3, %33 : i3
//>       %35 = arith.andi %4, %7 : i1
//>       %36 = arith.xori %27, %true : i1
//>       %37 = arith.andi %36, %arg13 : i1
//>       %38 = arith.ori %35, %37 : i1
//>       scf.yield %24, %25, %26, %arg9, %10, %27, %28, %32, %34, %38 : i32, i32, i32, i1, i1, i1, i2, i1, i3, i1
//>     } {sluice.idle_steps = 0 : i64, sluice.steps = [array<i64: 1, 2, 1>]}
//>     return
//>   }
//> }
