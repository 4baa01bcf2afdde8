// passes: directives, normalise, affine-to-scf, bank
// config: {banks: {a: {dim: 0, factor: 4}}}

// The three loads are in three of four banks in every iteration. Which ones depends on the counter.
func.func @window(%a: memref<18xi32>, %b: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %x = affine.load %a[%i] : memref<18xi32>
    %y = affine.load %a[%i + 5] : memref<18xi32>
    %z = affine.load %a[%i + 10] : memref<18xi32>
    %s = arith.addi %x, %y : i32
    %t = arith.addi %s, %z : i32
    affine.store %t, %b[%i] : memref<8xi32>
  }
  return
}

//> module {
//>   func.func @window(%arg0: memref<5xi32>, %arg1: memref<5xi32>, %arg2: memref<5xi32>, %arg3: memref<5xi32>, %arg4: memref<8xi32>) attributes {sluice.banked = [{array = "a", chosen = 3 : i64, first = 0 : i64, partition = {shape = array<i64: 18>, splits = [array<i64: 0, 4, 1>]}, straight = 0 : i64}]} {
//>     %c0 = arith.constant 0 : index
//>     %c8 = arith.constant 8 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg5 = %c0 to %c8 step %c1 {
//>       %c0_0 = arith.constant 0 : index
//>       %c4 = arith.constant 4 : index
//>       %0 = arith.floordivsi %arg5, %c4 : index
//>       %1 = arith.muli %0, %c4 : index
//>       %2 = arith.subi %arg5, %1 : index
//>       %c2 = arith.constant 2 : index
//>       %3 = arith.addi %0, %c2 : index
//>       %c3 = arith.constant 3 : index
//>       %4 = arith.cmpi slt, %2, %c3 : index
//>       %c3_1 = arith.constant 3 : index
//>       %5 = arith.addi %0, %c3_1 : index
//>       %6 = arith.select %4, %5, %3 : index
//>       %c2_2 = arith.constant 2 : index
//>       %7 = arith.cmpi slt, %2, %c2_2 : index
//>       %8 = arith.select %7, %0, %6 : index
//>       %c3_3 = arith.constant 3 : index
//>       %9 = arith.cmpi slt, %2, %c3_3 : index
//>       %10 = arith.select %9, %0, %5 : index
//>       %c1_4 = arith.constant 1 : index
//>       %11 = arith.cmpi slt, %2, %c1_4 : index
//>       %c1_5 = arith.constant 1 : index
//>       %12 = arith.addi %0, %c1_5 : index
//>       %13 = arith.select %11, %12, %10 : index
//>       %c2_6 = arith.constant 2 : index
//>       %14 = arith.cmpi slt, %2, %c2_6 : index
//>       %15 = arith.select %14, %12, %0 : index
//>       %c1_7 = arith.constant 1 : index
//>       %16 = arith.cmpi slt, %2, %c1_7 : index
//>       %17 = arith.select %16, %3, %15 : index
//>       %c3_8 = arith.constant 3 : index
//>       %18 = arith.cmpi slt, %2, %c3_8 : index
//>       %19 = arith.select %18, %12, %0 : index
//>       %c2_9 = arith.constant 2 : index
//>       %20 = arith.cmpi slt, %2, %c2_9 : index
//>       %21 = arith.select %20, %3, %19 : index
//>       %22 = memref.load %arg0[%8] : memref<5xi32>
//>       %23 = memref.load %arg1[%13] : memref<5xi32>
//>       %24 = memref.load %arg2[%17] : memref<5xi32>
//>       %25 = memref.load %arg3[%21] : memref<5xi32>
//>       %c2_10 = arith.constant 2 : index
//>       %26 = arith.andi %2, %c2_10 : index
//>       %c0_11 = arith.constant 0 : index
//>       %27 = arith.cmpi ne, %26, %c0_11 : index
//>       %28 = arith.select %27, %24, %22 : i32
//>       %29 = arith.select %27, %25, %23 : i32
//>       %30 = arith.select %27, %22, %24 : i32
//>       %31 = arith.select %27, %23, %25 : i32
//>       %c1_12 = arith.constant 1 : index
//>       %32 = arith.andi %2, %c1_12 : index
//>       %c0_13 = arith.constant 0 : index
//>       %33 = arith.cmpi ne, %32, %c0_13 : index
//>       %34 = arith.select %33, %29, %28 : i32
//>       %35 = arith.select %33, %30, %29 : i32
//>       %36 = arith.select %33, %31, %30 : i32
//>       %37 = arith.select %33, %28, %31 : i32
//>       %c5 = arith.constant 5 : index
//>       %38 = arith.addi %arg5, %c5 : index
//>       %c10 = arith.constant 10 : index
//>       %39 = arith.addi %arg5, %c10 : index
//>       %40 = arith.addi %34, %35 : i32
//>       %41 = arith.addi %40, %36 : i32
//>       memref.store %41, %arg4[%arg5] : memref<8xi32>
//>     }
//>     return
//>   }
//> }
