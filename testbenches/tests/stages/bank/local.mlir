// passes: directives, normalise, affine-to-scf, bank
// config: {banks: {t: [{dim: 0, factor: 2, kind: block-cyclic, block: 2}, {dim: 1, kind: complete}]}}

// Memories inside, split in two dimensions; blocks of two that a range of the counter stays in.
func.func @local(%x: i32, %p: index) -> i32 {
  %t = memref.alloc() : memref<6x2xi32>
  affine.for %i = 0 to 2 {
    affine.store %x, %t[%i + 2, 1] : memref<6x2xi32>
  }
  %c0 = arith.constant 0 : index
  %y = memref.load %t[%p, %c0] : memref<6x2xi32>
  return %y : i32
}

//> module {
//>   func.func @local(%arg0: i32, %arg1: index) -> i32 attributes {sluice.banked = [{array = "t", chosen = 1 : i64, partition = {shape = array<i64: 6, 2>, splits = [array<i64: 0, 2, 2>, array<i64: 1, 2, 1>]}, straight = 1 : i64}]} {
//>     %alloca = memref.alloca() : memref<4x1xi32>
//>     %alloca_0 = memref.alloca() : memref<4x1xi32>
//>     %alloca_1 = memref.alloca() : memref<4x1xi32>
//>     %alloca_2 = memref.alloca() : memref<4x1xi32>
//>     %c0 = arith.constant 0 : index
//>     %c2 = arith.constant 2 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg2 = %c0 to %c2 step %c1 {
//>       %c2_13 = arith.constant 2 : index
//>       %16 = arith.addi %arg2, %c2_13 : index
//>       %c1_14 = arith.constant 1 : index
//>       %c0_15 = arith.constant 0 : index
//>       memref.store %arg0, %alloca_2[%arg2, %c0_15] : memref<4x1xi32>
//>     }
//>     %c0_3 = arith.constant 0 : index
//>     %c2_4 = arith.constant 2 : index
//>     %0 = arith.floordivsi %arg1, %c2_4 : index
//>     %1 = arith.muli %0, %c2_4 : index
//>     %2 = arith.subi %arg1, %1 : index
//>     %c2_5 = arith.constant 2 : index
//>     %3 = arith.floordivsi %0, %c2_5 : index
//>     %4 = arith.muli %3, %c2_5 : index
//>     %5 = arith.subi %0, %4 : index
//>     %c2_6 = arith.constant 2 : index
//>     %6 = arith.muli %3, %c2_6 : index
//>     %7 = arith.addi %6, %2 : index
//>     %c0_7 = arith.constant 0 : index
//>     %c2_8 = arith.constant 2 : index
//>     %8 = arith.muli %c0_7, %c2_8 : index
//>     %9 = arith.addi %8, %5 : index
//>     %c0_9 = arith.constant 0 : index
//>     %c0_10 = arith.constant 0 : index
//>     %c2_11 = arith.constant 2 : index
//>     %10 = arith.muli %9, %c2_11 : index
//>     %11 = arith.addi %10, %c0_10 : index
//>     %12 = memref.load %alloca_1[%7, %c0_9] : memref<4x1xi32>
//>     %13 = memref.load %alloca[%7, %c0_9] : memref<4x1xi32>
//>     %c0_12 = arith.constant 0 : index
//>     %14 = arith.cmpi eq, %11, %c0_12 : index
//>     %15 = arith.select %14, %13, %12 : i32
//>     return %15 : i32
//>   }
//> }
