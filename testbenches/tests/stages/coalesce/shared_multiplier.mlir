// passes: canonicalise, coalesce, canonicalise
// config: limits: {multiply: 1}

// One multiplier for both products: the one between the loops has a step of its own, and both are one operation.
func.func @shared(%a: memref<4xi32>, %b: memref<32xi32>, %k: i32) {
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
      memref.store %z, %b[%at] : memref<32xi32>
    }
  }
  return
}

//> module {
//>   func.func @shared(%arg0: memref<4xi32>, %arg1: memref<32xi32>, %arg2: i32) {
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
//>       %14 = memref.load %arg0[%1] {sluice.access = 0 : i64} : memref<4xi32>
//>       %15 = arith.select %arg6, %14, %arg4 : i32
//>       %16 = arith.muli %1, %c8 : index
//>       %17 = arith.addi %16, %2 : index
//>       %18 = memref.load %arg1[%17] {sluice.access = 1 : i64} : memref<32xi32>
//>       %19 = arith.select %arg6, %arg2, %18 : i32
//>       %20 = arith.muli %15, %19 : i32
//>       scf.if %arg5 {
//>         memref.store %20, %arg1[%17] {sluice.access = 2 : i64} : memref<32xi32>
//>       } {sluice.guard}
//>       %21 = arith.select %arg6, %20, %arg4 : i32
//>       %22 = arith.ori %4, %arg6 : i1
//>       %23 = arith.select %10, %12, %arg7 : i2
//>       %24 = arith.andi %10, %13 : i1
//>       %25 = arith.xori %10, %true : i1
//>       %26 = arith.andi %25, %arg8 : i1
//>       %27 = arith.ori %24, %26 : i1
//>       %28 = arith.select %4, %6, %arg9 : i3
//>       %29 = arith.select %arg6, %c0_i3, %28 : i3
//>       %30 = arith.andi %4, %7 : i1
//>       %31 = arith.xori %22, %true : i1
//>       %32 = arith.andi %31, %arg10 : i1
//>       %33 = arith.ori %30, %32 : i1
//>       scf.yield %21, %22, %10, %23, %27, %29, %33 : i32, i1, i1, i2, i1, i3, i1
//>     } {sluice.idle_steps = 0 : i64, sluice.steps = [array<i64: 1, 2, 0>]}
//>     return
//>   }
//> }
