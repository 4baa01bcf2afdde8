// passes: directives, normalise, affine-to-scf, bank
// config: {banks: {a: {dim: 0, factor: 2}, b: {dim: 0, factor: 3}}}

// Both banks of `a` are written in every iteration, two of three banks of `b` under conditions. The last store of `a` may meet the first
// one, so it is apart.
func.func @scatter(%a: memref<18xi32>, %b: memref<18xi32>, %x: i32, %y: i32) {
  affine.for %i = 0 to 8 {
    affine.store %x, %a[%i] : memref<18xi32>
    affine.store %y, %a[%i + 1] : memref<18xi32>
    affine.store %x, %a[%i + 2] : memref<18xi32>
    affine.store %x, %b[%i] : memref<18xi32>
    affine.store %y, %b[%i + 4] : memref<18xi32>
  }
  return
}

//> module {
//>   func.func @scatter(%arg0: memref<9xi32>, %arg1: memref<9xi32>, %arg2: memref<6xi32>, %arg3: memref<6xi32>, %arg4: memref<6xi32>, %arg5: i32, %arg6: i32) attributes {sluice.banked = [{array = "a", chosen = 3 : i64, first = 0 : i64, partition = {shape = array<i64: 18>, splits = [array<i64: 0, 2, 1>]}, straight = 0 : i64}, {array = "b", chosen = 2 : i64, first = 2 : i64, partition = {shape = array<i64: 18>, splits = [array<i64: 0, 3, 1>]}, straight = 0 : i64}]} {
//>     %c0 = arith.constant 0 : index
//>     %c8 = arith.constant 8 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg7 = %c0 to %c8 step %c1 {
//>       %c1_0 = arith.constant 1 : index
//>       %0 = arith.addi %arg7, %c1_0 : index
//>       %c0_1 = arith.constant 0 : index
//>       %c2 = arith.constant 2 : index
//>       %1 = arith.floordivsi %arg7, %c2 : index
//>       %2 = arith.muli %1, %c2 : index
//>       %3 = arith.subi %arg7, %2 : index
//>       %c1_2 = arith.constant 1 : index
//>       %4 = arith.addi %1, %c1_2 : index
//>       %c1_3 = arith.constant 1 : index
//>       %5 = arith.cmpi slt, %3, %c1_3 : index
//>       %6 = arith.select %5, %1, %4 : index
//>       %c1_4 = arith.constant 1 : index
//>       %7 = arith.andi %3, %c1_4 : index
//>       %c0_5 = arith.constant 0 : index
//>       %8 = arith.cmpi ne, %7, %c0_5 : index
//>       %9 = arith.select %8, %arg6, %arg5 : i32
//>       %10 = arith.select %8, %arg5, %arg6 : i32
//>       memref.store %9, %arg0[%6] : memref<9xi32>
//>       memref.store %10, %arg1[%1] : memref<9xi32>
//>       %c2_6 = arith.constant 2 : index
//>       %11 = arith.addi %arg7, %c2_6 : index
//>       %c2_7 = arith.constant 2 : index
//>       %12 = arith.addi %arg7, %c2_7 : index
//>       %c0_8 = arith.constant 0 : index
//>       %c2_9 = arith.constant 2 : index
//>       %13 = arith.floordivsi %12, %c2_9 : index
//>       %14 = arith.muli %13, %c2_9 : index
//>       %15 = arith.subi %12, %14 : index
//>       %c0_10 = arith.constant 0 : index
//>       %c2_11 = arith.constant 2 : index
//>       %16 = arith.muli %c0_10, %c2_11 : index
//>       %17 = arith.addi %16, %15 : index
//>       %c0_12 = arith.constant 0 : index
//>       %18 = arith.cmpi eq, %17, %c0_12 : index
//>       scf.if %18 {
//>         memref.store %arg5, %arg0[%13] : memref<9xi32>
//>       }
//>       %c1_13 = arith.constant 1 : index
//>       %19 = arith.cmpi eq, %17, %c1_13 : index
//>       scf.if %19 {
//>         memref.store %arg5, %arg1[%13] : memref<9xi32>
//>       }
//>       %c4 = arith.constant 4 : index
//>       %20 = arith.addi %arg7, %c4 : index
//>       %c0_14 = arith.constant 0 : index
//>       %c3 = arith.constant 3 : index
//>       %21 = arith.floordivsi %arg7, %c3 : index
//>       %22 = arith.muli %21, %c3 : index
//>       %23 = arith.subi %arg7, %22 : index
//>       %c2_15 = arith.constant 2 : index
//>       %24 = arith.addi %21, %c2_15 : index
//>       %c2_16 = arith.constant 2 : index
//>       %25 = arith.cmpi slt, %23, %c2_16 : index
//>       %26 = arith.select %25, %21, %24 : index
//>       %c1_17 = arith.constant 1 : index
//>       %27 = arith.cmpi slt, %23, %c1_17 : index
//>       %c1_18 = arith.constant 1 : index
//>       %28 = arith.addi %21, %c1_18 : index
//>       %29 = arith.select %27, %28, %21 : index
//>       %c2_19 = arith.constant 2 : index
//>       %30 = arith.cmpi slt, %23, %c2_19 : index
//>       %31 = arith.select %30, %28, %21 : index
//>       %true = arith.constant true
//>       %true_20 = arith.constant true
//>       %false = arith.constant false
//>       %c2_21 = arith.constant 2 : index
//>       %32 = arith.andi %23, %c2_21 : index
//>       %c0_22 = arith.constant 0 : index
//>       %33 = arith.cmpi ne, %32, %c0_22 : index
//>       %34 = arith.select %33, %true_20, %true : i1
//>       %35 = arith.select %33, %false, %true_20 : i1
//>       %36 = arith.select %33, %true, %false : i1
//>       %c1_23 = arith.constant 1 : index
//>       %37 = arith.andi %23, %c1_23 : index
//>       %c0_24 = arith.constant 0 : index
//>       %38 = arith.cmpi ne, %37, %c0_24 : index
//>       %39 = arith.select %38, %36, %34 : i1
//>       %40 = arith.select %38, %34, %35 : i1
//>       %41 = arith.select %38, %35, %36 : i1
//>       %c2_25 = arith.constant 2 : index
//>       %42 = arith.andi %23, %c2_25 : index
//>       %c0_26 = arith.constant 0 : index
//>       %43 = arith.cmpi ne, %42, %c0_26 : index
//>       %44 = arith.select %43, %arg6, %arg5 : i32
//>       %c1_27 = arith.constant 1 : index
//>       %45 = arith.andi %23, %c1_27 : index
//>       %c0_28 = arith.constant 0 : index
//>       %46 = arith.cmpi ne, %45, %c0_28 : index
//>       %47 = arith.select %46, %arg5, %44 : i32
//>       %48 = arith.select %46, %44, %arg6 : i32
//>       %49 = arith.select %46, %arg6, %arg5 : i32
//>       scf.if %39 {
//>         memref.store %47, %arg2[%26] : memref<6xi32>
//>       }
//>       scf.if %40 {
//>         memref.store %48, %arg3[%29] : memref<6xi32>
//>       }
//>       scf.if %41 {
//>         memref.store %49, %arg4[%31] : memref<6xi32>
//>       }
//>     }
//>     return
//>   }
//> }
