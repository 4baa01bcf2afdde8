// passes: directives, normalise, affine-to-scf, bank
// config: {banks: {a: {dim: 0, factor: 2, kind: block}}}

// The bank depends on the counter: both are read, and one is written under a condition.
func.func @reverse(%a: memref<8xi32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i * 2] : memref<8xi32>
    affine.store %x, %a[7 - %i * 2] : memref<8xi32>
  }
  return
}

//> module {
//>   func.func @reverse(%arg0: memref<4xi32>, %arg1: memref<4xi32>) attributes {sluice.banked = [{array = "a", chosen = 2 : i64, first = 0 : i64, partition = {shape = array<i64: 8>, splits = [array<i64: 0, 2, 4>]}, straight = 0 : i64}]} {
//>     %c0 = arith.constant 0 : index
//>     %c4 = arith.constant 4 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       %c2 = arith.constant 2 : index
//>       %0 = arith.muli %arg2, %c2 : index
//>       %c2_0 = arith.constant 2 : index
//>       %1 = arith.muli %arg2, %c2_0 : index
//>       %c4_1 = arith.constant 4 : index
//>       %2 = arith.floordivsi %1, %c4_1 : index
//>       %3 = arith.muli %2, %c4_1 : index
//>       %4 = arith.subi %1, %3 : index
//>       %c2_2 = arith.constant 2 : index
//>       %5 = arith.floordivsi %2, %c2_2 : index
//>       %6 = arith.muli %5, %c2_2 : index
//>       %7 = arith.subi %2, %6 : index
//>       %c4_3 = arith.constant 4 : index
//>       %8 = arith.muli %5, %c4_3 : index
//>       %9 = arith.addi %8, %4 : index
//>       %c0_4 = arith.constant 0 : index
//>       %c2_5 = arith.constant 2 : index
//>       %10 = arith.muli %c0_4, %c2_5 : index
//>       %11 = arith.addi %10, %7 : index
//>       %12 = memref.load %arg1[%9] : memref<4xi32>
//>       %13 = memref.load %arg0[%9] : memref<4xi32>
//>       %c0_6 = arith.constant 0 : index
//>       %14 = arith.cmpi eq, %11, %c0_6 : index
//>       %15 = arith.select %14, %13, %12 : i32
//>       %c-2 = arith.constant -2 : index
//>       %16 = arith.muli %arg2, %c-2 : index
//>       %c7 = arith.constant 7 : index
//>       %17 = arith.addi %16, %c7 : index
//>       %c-2_7 = arith.constant -2 : index
//>       %18 = arith.muli %arg2, %c-2_7 : index
//>       %c7_8 = arith.constant 7 : index
//>       %19 = arith.addi %18, %c7_8 : index
//>       %c4_9 = arith.constant 4 : index
//>       %20 = arith.floordivsi %19, %c4_9 : index
//>       %21 = arith.muli %20, %c4_9 : index
//>       %22 = arith.subi %19, %21 : index
//>       %c2_10 = arith.constant 2 : index
//>       %23 = arith.floordivsi %20, %c2_10 : index
//>       %24 = arith.muli %23, %c2_10 : index
//>       %25 = arith.subi %20, %24 : index
//>       %c4_11 = arith.constant 4 : index
//>       %26 = arith.muli %23, %c4_11 : index
//>       %27 = arith.addi %26, %22 : index
//>       %c0_12 = arith.constant 0 : index
//>       %c2_13 = arith.constant 2 : index
//>       %28 = arith.muli %c0_12, %c2_13 : index
//>       %29 = arith.addi %28, %25 : index
//>       %c0_14 = arith.constant 0 : index
//>       %30 = arith.cmpi eq, %29, %c0_14 : index
//>       scf.if %30 {
//>         memref.store %15, %arg0[%27] : memref<4xi32>
//>       }
//>       %c1_15 = arith.constant 1 : index
//>       %31 = arith.cmpi eq, %29, %c1_15 : index
//>       scf.if %31 {
//>         memref.store %15, %arg1[%27] : memref<4xi32>
//>       }
//>     }
//>     return
//>   }
//> }
