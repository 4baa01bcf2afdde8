// passes: directives, normalise, affine-to-scf, bank
// config: {banks: {a: {dim: 0, factor: 4}}}

// An index without a value is somewhere too.
func.func @never(%a: memref<8xi32>, %x: i32) {
  affine.for %i = 4 to 2 {
    affine.store %x, %a[%i] : memref<8xi32>
  }
  affine.for %i = 5 to 1 step 3 {
    affine.store %x, %a[%i + 1] : memref<8xi32>
  }
  return
}

//> module {
//>   func.func @never(%arg0: memref<2xi32>, %arg1: memref<2xi32>, %arg2: memref<2xi32>, %arg3: memref<2xi32>, %arg4: i32) attributes {sluice.banked = [{array = "a", chosen = 2 : i64, first = 0 : i64, partition = {shape = array<i64: 8>, splits = [array<i64: 0, 4, 1>]}, straight = 0 : i64}]} {
//>     %c4 = arith.constant 4 : index
//>     %c2 = arith.constant 2 : index
//>     %c1 = arith.constant 1 : index
//>     %c0 = arith.constant 0 : index
//>     %c0_0 = arith.constant 0 : index
//>     %c1_1 = arith.constant 1 : index
//>     scf.for %arg5 = %c0 to %c0_0 step %c1_1 {
//>       %c4_6 = arith.constant 4 : index
//>       %0 = arith.addi %arg5, %c4_6 : index
//>       %c4_7 = arith.constant 4 : index
//>       %1 = arith.addi %arg5, %c4_7 : index
//>       %c0_8 = arith.constant 0 : index
//>       %c4_9 = arith.constant 4 : index
//>       %2 = arith.floordivsi %1, %c4_9 : index
//>       %3 = arith.muli %2, %c4_9 : index
//>       %4 = arith.subi %1, %3 : index
//>       %c0_10 = arith.constant 0 : index
//>       %c4_11 = arith.constant 4 : index
//>       %5 = arith.muli %c0_10, %c4_11 : index
//>       %6 = arith.addi %5, %4 : index
//>       %c0_12 = arith.constant 0 : index
//>       %7 = arith.cmpi eq, %6, %c0_12 : index
//>       scf.if %7 {
//>         memref.store %arg4, %arg0[%2] : memref<2xi32>
//>       }
//>       %c1_13 = arith.constant 1 : index
//>       %8 = arith.cmpi eq, %6, %c1_13 : index
//>       scf.if %8 {
//>         memref.store %arg4, %arg1[%2] : memref<2xi32>
//>       }
//>       %c2_14 = arith.constant 2 : index
//>       %9 = arith.cmpi eq, %6, %c2_14 : index
//>       scf.if %9 {
//>         memref.store %arg4, %arg2[%2] : memref<2xi32>
//>       }
//>       %c3_15 = arith.constant 3 : index
//>       %10 = arith.cmpi eq, %6, %c3_15 : index
//>       scf.if %10 {
//>         memref.store %arg4, %arg3[%2] : memref<2xi32>
//>       }
//>     }
//>     %c5 = arith.constant 5 : index
//>     %c1_2 = arith.constant 1 : index
//>     %c3 = arith.constant 3 : index
//>     %c0_3 = arith.constant 0 : index
//>     %c0_4 = arith.constant 0 : index
//>     %c1_5 = arith.constant 1 : index
//>     scf.for %arg5 = %c0_3 to %c0_4 step %c1_5 {
//>       %c3_6 = arith.constant 3 : index
//>       %0 = arith.muli %arg5, %c3_6 : index
//>       %c5_7 = arith.constant 5 : index
//>       %1 = arith.addi %0, %c5_7 : index
//>       %c1_8 = arith.constant 1 : index
//>       %2 = arith.addi %1, %c1_8 : index
//>       %c3_9 = arith.constant 3 : index
//>       %3 = arith.muli %arg5, %c3_9 : index
//>       %c6 = arith.constant 6 : index
//>       %4 = arith.addi %3, %c6 : index
//>       %c0_10 = arith.constant 0 : index
//>       %c4_11 = arith.constant 4 : index
//>       %5 = arith.floordivsi %4, %c4_11 : index
//>       %6 = arith.muli %5, %c4_11 : index
//>       %7 = arith.subi %4, %6 : index
//>       %c0_12 = arith.constant 0 : index
//>       %c4_13 = arith.constant 4 : index
//>       %8 = arith.muli %c0_12, %c4_13 : index
//>       %9 = arith.addi %8, %7 : index
//>       %c0_14 = arith.constant 0 : index
//>       %10 = arith.cmpi eq, %9, %c0_14 : index
//>       scf.if %10 {
//>         memref.store %arg4, %arg0[%5] : memref<2xi32>
//>       }
//>       %c1_15 = arith.constant 1 : index
//>       %11 = arith.cmpi eq, %9, %c1_15 : index
//>       scf.if %11 {
//>         memref.store %arg4, %arg1[%5] : memref<2xi32>
//>       }
//>       %c2_16 = arith.constant 2 : index
//>       %12 = arith.cmpi eq, %9, %c2_16 : index
//>       scf.if %12 {
//>         memref.store %arg4, %arg2[%5] : memref<2xi32>
//>       }
//>       %c3_17 = arith.constant 3 : index
//>       %13 = arith.cmpi eq, %9, %c3_17 : index
//>       scf.if %13 {
//>         memref.store %arg4, %arg3[%5] : memref<2xi32>
//>       }
//>     }
//>     return
//>   }
//> }
