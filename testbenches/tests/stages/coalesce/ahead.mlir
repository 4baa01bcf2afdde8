// passes: canonicalise, coalesce, canonicalise
// config: limits: {multiply: 1}

// The product between the loops is made an iteration ahead: the first one in front of the nest, each other one behind the inner loop.
func.func @ahead(%a: memref<4xi32>, %b: memref<32xi32>, %k: i32) {
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
  } {sluice.rotate = 4 : i64}
  return
}

//> module {
//>   func.func @ahead(%arg0: memref<4xi32>, %arg1: memref<32xi32>, %arg2: i32) {
//>     %c4 = arith.constant 4 : index
//>     %c8 = arith.constant 8 : index
//>     %c0 = arith.constant 0 : index
//>     %0 = memref.load %arg0[%c0] : memref<4xi32>
//>     %1 = arith.muli %0, %arg2 : i32
//>     %c36 = arith.constant 36 : index
//>     %c1 = arith.constant 1 : index
//>     %true = arith.constant true
//>     %false = arith.constant false
//>     %c0_i2 = arith.constant 0 : i2
//>     %c0_i3 = arith.constant 0 : i3
//>     %2:7 = scf.for %arg3 = %c0 to %c36 step %c1 iter_args(%arg4 = %1, %arg5 = %true, %arg6 = %false, %arg7 = %c0_i2, %arg8 = %false, %arg9 = %c0_i3, %arg10 = %false) -> (i32, i1, i1, i2, i1, i3, i1) {
//>       %3 = arith.index_castui %arg7 : i2 to index
//>       %4 = arith.index_castui %arg9 : i3 to index
//>       %5 = arith.xori %arg10, %true : i1
//>       %6 = arith.andi %arg5, %5 : i1
//>       %7 = arith.addi %4, %c1 : index
//>       %8 = arith.index_cast %7 : index to i3
//>       %c-2_i3 = arith.constant -2 : i3
//>       %9 = arith.cmpi eq, %arg9, %c-2_i3 : i3
//>       %10 = arith.andi %arg5, %arg10 : i1
//>       %11 = arith.xori %arg8, %true : i1
//>       %12 = arith.andi %arg6, %11 : i1
//>       %13 = arith.addi %3, %c1 : index
//>       %14 = arith.index_cast %13 : index to i2
//>       %c-2_i2 = arith.constant -2 : i2
//>       %15 = arith.cmpi eq, %arg7, %c-2_i2 : i2
//>       %16 = arith.muli %3, %c8 : index
//>       %17 = arith.addi %16, %4 : index
//>       %18 = memref.load %arg1[%17] {sluice.access = 0 : i64} : memref<32xi32>
//>       %19 = arith.cmpi slt, %13, %c4 : index
//>       %20 = arith.andi %19, %arg6 : i1
//>       %21 = scf.if %20 -> (i32) {
//>         %38 = memref.load %arg0[%13] {sluice.access = 2 : i64} : memref<4xi32>
//>         scf.yield %38 : i32
//>       } else {
//>         %c0_i32 = arith.constant 0 : i32
//>         scf.yield %c0_i32 : i32
//>       } {sluice.any, sluice.guard}
//>       %22 = arith.select %arg6, %21, %arg4 : i32
//>       %23 = arith.select %arg6, %arg2, %18 : i32
//>       %24 = arith.muli %22, %23 : i32
//>       scf.if %arg5 {
//>         memref.store %24, %arg1[%17] {sluice.access = 1 : i64} : memref<32xi32>
//>       } {sluice.guard}
//>       %25 = arith.select %arg6, %24, %arg4 : i32
//>       %26 = arith.ori %6, %12 : i1
//>       %27 = arith.select %12, %14, %arg7 : i2
//>       %28 = arith.andi %12, %15 : i1
//>       %29 = arith.xori %12, %true : i1
//>       %30 = arith.andi %29, %arg8 : i1
//>       %31 = arith.ori %28, %30 : i1
//>       %32 = arith.select %6, %8, %arg9 : i3
//>       %33 = arith.select %12, %c0_i3, %32 : i3
//>       %34 = arith.andi %6, %9 : i1
//>       %35 = arith.xori %26, %true : i1
//>       %36 = arith.andi %35, %arg10 : i1
//>       %37 = arith.ori %34, %36 : i1
//>       scf.yield %25, %26, %10, %27, %31, %33, %37 : i32, i1, i1, i2, i1, i3, i1
//>     } {sluice.idle_steps = 0 : i64, sluice.rotated = 4 : i64, sluice.steps = [array<i64: 0, 1, 0>]}
//>     return
//>   }
//> }
