// passes: split
// config: {device: ecp5, clock_period_ns: 5}

// Of 64 bits nothing fits: sums pass a carry on, comparisons what lower pieces decide.
func.func @wide(%a: i64, %b: i64) -> (i64, i1) {
  %sum = arith.addi %a, %b : i64
  %less = arith.cmpi slt, %sum, %b : i64
  return %sum, %less : i64, i1
}

// A choice for each bit of the amount.
func.func @shifted(%a: i32, %b: i32) -> i32 {
  %moved = arith.shrsi %a, %b : i32
  return %moved : i32
}

// No multiplier fits: a multiple for each bit.
func.func @product(%a: i4, %b: i4) -> i4 {
  %product = arith.muli %a, %b : i4
  return %product : i4
}

//> module {
//>   func.func @wide(%arg0: i64, %arg1: i64) -> (i64, i1) {
//>     %0 = arith.trunci %arg0 : i64 to i32
//>     %1 = arith.trunci %arg1 : i64 to i32
//>     %2 = arith.extui %0 : i32 to i33
//>     %3 = arith.extui %1 : i32 to i33
//>     %4 = arith.addi %2, %3 : i33
//>     %5 = arith.trunci %4 : i33 to i32
//>     %c32_i33 = arith.constant 32 : i33
//>     %6 = arith.shrui %4, %c32_i33 : i33
//>     %7 = arith.trunci %6 : i33 to i1
//>     %c32_i64 = arith.constant 32 : i64
//>     %8 = arith.shrui %arg0, %c32_i64 : i64
//>     %9 = arith.trunci %8 : i64 to i32
//>     %c32_i64_0 = arith.constant 32 : i64
//>     %10 = arith.shrui %arg1, %c32_i64_0 : i64
//>     %11 = arith.trunci %10 : i64 to i32
//>     %c1_i33 = arith.constant 1 : i33
//>     %12 = arith.extui %9 : i32 to i33
//>     %c1_i33_1 = arith.constant 1 : i33
//>     %13 = arith.shli %12, %c1_i33_1 : i33
//>     %14 = arith.ori %c1_i33, %13 : i33
//>     %15 = arith.extui %7 : i1 to i33
//>     %16 = arith.extui %11 : i32 to i33
//>     %c1_i33_2 = arith.constant 1 : i33
//>     %17 = arith.shli %16, %c1_i33_2 : i33
//>     %18 = arith.ori %15, %17 : i33
//>     %19 = arith.addi %14, %18 : i33
//>     %c1_i33_3 = arith.constant 1 : i33
//>     %20 = arith.shrui %19, %c1_i33_3 : i33
//>     %21 = arith.trunci %20 : i33 to i32
//>     %22 = arith.extui %5 : i32 to i64
//>     %23 = arith.extui %21 : i32 to i64
//>     %c32_i64_4 = arith.constant 32 : i64
//>     %24 = arith.shli %23, %c32_i64_4 : i64
//>     %25 = arith.ori %22, %24 : i64
//>     %26 = arith.trunci %4 : i33 to i22
//>     %27 = arith.trunci %arg1 : i64 to i22
//>     %28 = arith.cmpi ult, %26, %27 : i22
//>     %c22_i33 = arith.constant 22 : i33
//>     %29 = arith.shrui %4, %c22_i33 : i33
//>     %30 = arith.trunci %29 : i33 to i10
//>     %31 = arith.trunci %20 : i33 to i12
//>     %32 = arith.extui %30 : i10 to i22
//>     %33 = arith.extui %31 : i12 to i22
//>     %c10_i22 = arith.constant 10 : i22
//>     %34 = arith.shli %33, %c10_i22 : i22
//>     %35 = arith.ori %32, %34 : i22
//>     %c22_i64 = arith.constant 22 : i64
//>     %36 = arith.shrui %arg1, %c22_i64 : i64
//>     %37 = arith.trunci %36 : i64 to i22
//>     %38 = arith.cmpi eq, %35, %37 : i22
//>     %39 = arith.cmpi ult, %35, %37 : i22
//>     %40 = arith.andi %38, %28 : i1
//>     %41 = arith.ori %39, %40 : i1
//>     %c12_i33 = arith.constant 12 : i33
//>     %42 = arith.shrui %20, %c12_i33 : i33
//>     %43 = arith.trunci %42 : i33 to i20
//>     %c44_i64 = arith.constant 44 : i64
//>     %44 = arith.shrui %arg1, %c44_i64 : i64
//>     %45 = arith.trunci %44 : i64 to i20
//>     %46 = arith.cmpi eq, %43, %45 : i20
//>     %47 = arith.cmpi slt, %43, %45 : i20
//>     %48 = arith.andi %46, %41 : i1
//>     %49 = arith.ori %47, %48 : i1
//>     return %25, %49 : i64, i1
//>   }
//>   func.func @shifted(%arg0: i32, %arg1: i32) -> i32 {
//>     %0 = arith.trunci %arg1 : i32 to i1
//>     %c1_i32 = arith.constant 1 : i32
//>     %1 = arith.shrsi %arg0, %c1_i32 : i32
//>     %2 = arith.select %0, %1, %arg0 : i32
//>     %c1_i32_0 = arith.constant 1 : i32
//>     %3 = arith.shrui %arg1, %c1_i32_0 : i32
//>     %4 = arith.trunci %3 : i32 to i1
//>     %c2_i32 = arith.constant 2 : i32
//>     %5 = arith.shrsi %2, %c2_i32 : i32
//>     %6 = arith.select %4, %5, %2 : i32
//>     %c2_i32_1 = arith.constant 2 : i32
//>     %7 = arith.shrui %arg1, %c2_i32_1 : i32
//>     %8 = arith.trunci %7 : i32 to i1
//>     %c4_i32 = arith.constant 4 : i32
//>     %9 = arith.shrsi %6, %c4_i32 : i32
//>     %10 = arith.select %8, %9, %6 : i32
//>     %c3_i32 = arith.constant 3 : i32
//>     %11 = arith.shrui %arg1, %c3_i32 : i32
//>     %12 = arith.trunci %11 : i32 to i1
//>     %c8_i32 = arith.constant 8 : i32
//>     %13 = arith.shrsi %10, %c8_i32 : i32
//>     %14 = arith.select %12, %13, %10 : i32
//>     %c4_i32_2 = arith.constant 4 : i32
//>     %15 = arith.shrui %arg1, %c4_i32_2 : i32
//>     %16 = arith.trunci %15 : i32 to i1
//>     %c16_i32 = arith.constant 16 : i32
//>     %17 = arith.shrsi %14, %c16_i32 : i32
//>     %18 = arith.select %16, %17, %14 : i32
//>     return %18 : i32
//>   }
//>   func.func @product(%arg0: i4, %arg1: i4) -> i4 {
//>     %0 = arith.trunci %arg1 : i4 to i1
//>     %c0_i4 = arith.constant 0 : i4
//>     %1 = arith.select %0, %arg0, %c0_i4 : i4
//>     %c1_i4 = arith.constant 1 : i4
//>     %2 = arith.shrui %arg1, %c1_i4 : i4
//>     %3 = arith.trunci %2 : i4 to i1
//>     %4 = arith.trunci %arg0 : i4 to i3
//>     %c0_i3 = arith.constant 0 : i3
//>     %5 = arith.select %3, %4, %c0_i3 : i3
//>     %c2_i4 = arith.constant 2 : i4
//>     %6 = arith.shrui %arg1, %c2_i4 : i4
//>     %7 = arith.trunci %6 : i4 to i1
//>     %8 = arith.trunci %arg0 : i4 to i2
//>     %c0_i2 = arith.constant 0 : i2
//>     %9 = arith.select %7, %8, %c0_i2 : i2
//>     %c3_i4 = arith.constant 3 : i4
//>     %10 = arith.shrui %arg1, %c3_i4 : i4
//>     %11 = arith.trunci %10 : i4 to i1
//>     %12 = arith.trunci %arg0 : i4 to i1
//>     %false = arith.constant false
//>     %13 = arith.select %11, %12, %false : i1
//>     %c1_i4_0 = arith.constant 1 : i4
//>     %14 = arith.shrui %1, %c1_i4_0 : i4
//>     %15 = arith.trunci %14 : i4 to i3
//>     %16 = arith.addi %15, %5 : i3
//>     %17 = arith.trunci %1 : i4 to i1
//>     %c1_i2 = arith.constant 1 : i2
//>     %18 = arith.shrui %9, %c1_i2 : i2
//>     %19 = arith.trunci %18 : i2 to i1
//>     %20 = arith.addi %19, %13 : i1
//>     %21 = arith.trunci %9 : i2 to i1
//>     %22 = arith.extui %21 : i1 to i2
//>     %23 = arith.extui %20 : i1 to i2
//>     %c1_i2_1 = arith.constant 1 : i2
//>     %24 = arith.shli %23, %c1_i2_1 : i2
//>     %25 = arith.ori %22, %24 : i2
//>     %c1_i3 = arith.constant 1 : i3
//>     %26 = arith.shrui %16, %c1_i3 : i3
//>     %27 = arith.trunci %26 : i3 to i2
//>     %28 = arith.addi %27, %25 : i2
//>     %29 = arith.trunci %16 : i3 to i1
//>     %30 = arith.extui %17 : i1 to i2
//>     %31 = arith.extui %29 : i1 to i2
//>     %c1_i2_2 = arith.constant 1 : i2
//>     %32 = arith.shli %31, %c1_i2_2 : i2
//>     %33 = arith.ori %30, %32 : i2
//>     %34 = arith.extui %33 : i2 to i4
//>     %35 = arith.extui %28 : i2 to i4
//>     %c2_i4_3 = arith.constant 2 : i4
//>     %36 = arith.shli %35, %c2_i4_3 : i4
//>     %37 = arith.ori %34, %36 : i4
//>     return %37 : i4
//>   }
//> }
