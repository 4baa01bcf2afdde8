// passes: directives, normalise, affine-to-scf, unroll, bank
// config: {loops: {i: {unroll: 2}}, banks: {a: {dim: 0, factor: 2}}}

// The bank of every access is known: an argument per bank, and the counter counts iterations.
func.func @shift(%n: i32, %a: memref<9xi32>, %b: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i + 1] : memref<9xi32>
    %y = arith.addi %x, %n : i32
    affine.store %y, %b[%i] : memref<8xi32>
  }
  return
}

//> module {
//>   func.func @shift(%arg0: i32, %arg1: memref<5xi32>, %arg2: memref<5xi32>, %arg3: memref<8xi32>) attributes {sluice.banked = [{array = "a", chosen = 0 : i64, first = 1 : i64, partition = {shape = array<i64: 9>, splits = [array<i64: 0, 2, 1>]}, straight = 2 : i64}]} {
//>     %c0 = arith.constant 0 : index
//>     %c8 = arith.constant 8 : index
//>     %c1 = arith.constant 1 : index
//>     %c2 = arith.constant 2 : index
//>     %0 = arith.muli %c1, %c2 : index
//>     %c2_0 = arith.constant 2 : index
//>     %c0_1 = arith.constant 0 : index
//>     %c4 = arith.constant 4 : index
//>     %c1_2 = arith.constant 1 : index
//>     scf.for %arg4 = %c0_1 to %c4 step %c1_2 {
//>       %c2_3 = arith.constant 2 : index
//>       %1 = arith.muli %arg4, %c2_3 : index
//>       %c1_4 = arith.constant 1 : index
//>       %2 = arith.addi %1, %c1_4 : index
//>       %3 = memref.load %arg2[%arg4] : memref<5xi32>
//>       %4 = arith.addi %3, %arg0 : i32
//>       memref.store %4, %arg3[%1] : memref<8xi32>
//>       %c1_5 = arith.constant 1 : index
//>       %5 = arith.muli %c1, %c1_5 : index
//>       %6 = arith.addi %1, %5 : index
//>       %c1_6 = arith.constant 1 : index
//>       %7 = arith.addi %6, %c1_6 : index
//>       %c1_7 = arith.constant 1 : index
//>       %8 = arith.addi %arg4, %c1_7 : index
//>       %9 = memref.load %arg1[%8] : memref<5xi32>
//>       %10 = arith.addi %9, %arg0 : i32
//>       memref.store %10, %arg3[%6] : memref<8xi32>
//>     }
//>     return
//>   }
//> }
