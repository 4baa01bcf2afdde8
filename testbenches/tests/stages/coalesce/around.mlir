// passes: canonicalise, coalesce, canonicalise

// The loop around stays apart. How many steps the triangle in it has, and whether its first iteration is the last one, depends on the
// counter around: a multiple of it in one, chosen from the values in the other.
func.func @around(%a: memref<16xi32>, %b: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %n = %c0 to %c4 step %c1 {
    scf.for %i = %n to %c4 step %c1 {
      scf.for %j = %c0 to %c4 step %c1 {
        %row = arith.muli %i, %c4 : index
        %at = arith.addi %row, %j : index
        %x = memref.load %a[%at] : memref<16xi32>
        %y = arith.addi %x, %x : i32
        memref.store %y, %a[%at] : memref<16xi32>
      }
    }
  } {sluice.flatten = false}
  scf.for %n = %c0 to %c4 step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      scf.for %j = %i to %n step %c1 {
        %row = arith.muli %i, %c4 : index
        %at = arith.addi %row, %j : index
        %x = memref.load %b[%at] : memref<64xi32>
        %y = arith.addi %x, %x : i32
        memref.store %y, %b[%at] : memref<64xi32>
      }
    }
  } {sluice.flatten = false}
  return
}

//> module {
//>   func.func @around(%arg0: memref<16xi32>, %arg1: memref<64xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       %c-4 = arith.constant -4 : index
//>       %0 = arith.muli %arg2, %c-4 : index
//>       %c16 = arith.constant 16 : index
//>       %1 = arith.addi %0, %c16 : index
//>       %2 = arith.index_cast %arg2 : index to i2
//>       %3 = arith.addi %arg2, %c1 : index
//>       %4 = arith.cmpi sge, %3, %c4 : index
//>       %c0_i2 = arith.constant 0 : i2
//>       %false = arith.constant false
//>       %5:4 = scf.for %arg3 = %c0 to %1 step %c1 iter_args(%arg4 = %2, %arg5 = %4, %arg6 = %c0_i2, %arg7 = %false) -> (i2, i1, i2, i1) {
//>         %6 = arith.index_castui %arg4 : i2 to index
//>         %7 = arith.index_castui %arg6 : i2 to index
//>         %true = arith.constant true
//>         %8 = arith.xori %arg7, %true : i1
//>         %9 = arith.addi %7, %c1 : index
//>         %10 = arith.index_cast %9 : index to i2
//>         %c-2_i2 = arith.constant -2 : i2
//>         %11 = arith.cmpi eq, %arg6, %c-2_i2 : i2
//>         %12 = arith.xori %arg5, %true : i1
//>         %13 = arith.andi %arg7, %12 : i1
//>         %14 = arith.addi %6, %c1 : index
//>         %15 = arith.index_cast %14 : index to i2
//>         %16 = arith.cmpi eq, %arg4, %c-2_i2 : i2
//>         %17 = arith.muli %6, %c4 : index
//>         %18 = arith.addi %17, %7 : index
//>         %19 = memref.load %arg0[%18] {sluice.access = 0 : i64} : memref<16xi32>
//>         %20 = arith.addi %19, %19 : i32
//>         memref.store %20, %arg0[%18] {sluice.access = 1 : i64} : memref<16xi32>
//>         %21 = arith.select %13, %15, %arg4 : i2
//>         %22 = arith.andi %13, %16 : i1
//>         %23 = arith.xori %13, %true : i1
//>         %24 = arith.andi %23, %arg5 : i1
//>         %25 = arith.ori %22, %24 : i1
//>         %26 = arith.select %8, %10, %arg6 : i2
//>         %27 = arith.select %13, %c0_i2, %26 : i2
//>         %28 = arith.andi %8, %11 : i1
//>         %29 = arith.ori %8, %13 : i1
//>         %30 = arith.xori %29, %true : i1
//>         %31 = arith.andi %30, %arg7 : i1
//>         %32 = arith.ori %28, %31 : i1
//>         scf.yield %21, %25, %27, %32 : i2, i1, i2, i1
//>       } {sluice.idle_steps = 0 : i64, sluice.steps = [array<i64: 0, 1, 0>]}
//>     } {sluice.flatten = false}
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       %0 = arith.cmpi slt, %arg2, %c1 : index
//>       %1 = arith.select %0, %c0, %c1 : index
//>       %c3 = arith.constant 3 : index
//>       %2 = arith.muli %arg2, %c3 : index
//>       %c-3 = arith.constant -3 : index
//>       %3 = arith.addi %2, %c-3 : index
//>       %c2 = arith.constant 2 : index
//>       %4 = arith.cmpi slt, %arg2, %c2 : index
//>       %5 = arith.select %4, %1, %3 : index
//>       %6 = arith.cmpi sge, %c1, %arg2 : index
//>       %c0_i2 = arith.constant 0 : i2
//>       %7:4 = scf.for %arg3 = %c0 to %5 step %c1 iter_args(%arg4 = %c0_i2, %arg5 = %6, %arg6 = %c0_i2, %arg7 = %6) -> (i2, i1, i2, i1) {
//>         %8 = arith.index_castui %arg4 : i2 to index
//>         %9 = arith.index_castui %arg6 : i2 to index
//>         %true = arith.constant true
//>         %10 = arith.xori %arg7, %true : i1
//>         %11 = arith.addi %9, %c1 : index
//>         %12 = arith.index_cast %11 : index to i2
//>         %c-1 = arith.constant -1 : index
//>         %13 = arith.addi %arg2, %c-1 : index
//>         %14 = arith.cmpi eq, %11, %13 : index
//>         %15 = arith.xori %arg5, %true : i1
//>         %16 = arith.andi %arg7, %15 : i1
//>         %17 = arith.addi %8, %c1 : index
//>         %18 = arith.index_cast %17 : index to i2
//>         %19 = arith.cmpi eq, %17, %13 : index
//>         %20 = arith.muli %8, %c4 : index
//>         %21 = arith.addi %20, %9 : index
//>         %22 = memref.load %arg1[%21] {sluice.access = 0 : i64} : memref<64xi32>
//>         %23 = arith.addi %22, %22 : i32
//>         memref.store %23, %arg1[%21] {sluice.access = 1 : i64} : memref<64xi32>
//>         %24 = arith.select %16, %18, %arg4 : i2
//>         %25 = arith.andi %16, %19 : i1
//>         %26 = arith.xori %16, %true : i1
//>         %27 = arith.andi %26, %arg5 : i1
//>         %28 = arith.ori %25, %27 : i1
//>         %29 = arith.select %10, %12, %arg6 : i2
//>         %30 = arith.select %16, %18, %29 : i2
//>         %31 = arith.andi %10, %14 : i1
//>         %32 = arith.ori %10, %16 : i1
//>         %33 = arith.ori %31, %25 : i1
//>         %34 = arith.xori %32, %true : i1
//>         %35 = arith.andi %34, %arg7 : i1
//>         %36 = arith.ori %33, %35 : i1
//>         scf.yield %24, %28, %30, %36 : i2, i1, i2, i1
//>       } {sluice.idle_steps = 0 : i64, sluice.steps = [array<i64: 0, 1, 0>]}
//>     } {sluice.flatten = false}
//>     return
//>   }
//> }
