// passes: float-words, annotate, narrow, tidy, schedule, float-units

// Both conversions start on the same unit, whose function is added.
func.func @twice(%x: i4, %y: i4) -> (f8E5M2, f8E5M2) {
  %a = arith.uitofp %x : i4 to f8E5M2
  %b = arith.uitofp %y : i4 to f8E5M2
  return %a, %b : f8E5M2, f8E5M2
}

//> module attributes {sluice.clock_period_ns = 5.000000e+00 : f64, sluice.device = "generic"} {
//>   func.func @twice(%arg0: i4, %arg1: i4) -> (i8, i8) attributes {sluice.cycles = 4 : i64, sluice.dependences = [], sluice.depth = 3 : i64} {
//>     %0 = sluice.float "from_unsigned" f8E5M2(%arg0) {sluice.class = "float_from_unsigned", sluice.latency = 2 : i64, sluice.start = 0 : i64, sluice.unit = @sluice_float_from_unsigned_f8E5M2_l2} : (i4) -> i8
//>     %1 = sluice.float "from_unsigned" f8E5M2(%arg1) {sluice.class = "float_from_unsigned", sluice.latency = 2 : i64, sluice.start = 0 : i64, sluice.unit = @sluice_float_from_unsigned_f8E5M2_l2} : (i4) -> i8
//>     return %0, %1 : i8, i8
//>   }
//>   func.func @sluice_float_from_unsigned_f8E5M2_l2(%arg0: i4) -> i8 attributes {sluice.cycles = 4 : i64, sluice.depth = 3 : i64, sluice.is_unit} {
//>     %0 = arith.extui %arg0 {sluice.class = "wire", sluice.start = 0 : i64} : i4 to i8
//>     %c4_i8 = arith.constant 4 : i8
//>     %1 = arith.shli %0, %c4_i8 {sluice.class = "shift_constant", sluice.start = 0 : i64} : i8
//>     %c8_i8 = arith.constant 8 : i8
//>     %2 = arith.ori %1, %c8_i8 {sluice.class = "wire", sluice.start = 0 : i64} : i8
//>     %3 = arith.shrui %2, %c4_i8 {sluice.class = "shift_constant", sluice.start = 0 : i64} : i8
//>     %4 = arith.trunci %3 {sluice.class = "wire", sluice.start = 0 : i64} : i8 to i4
//>     %5 = arith.trunci %2 {sluice.class = "wire", sluice.start = 0 : i64} : i8 to i4
//>     %c0_i4 = arith.constant 0 : i4
//>     %6 = arith.cmpi eq, %4, %c0_i4 {sluice.class = "compare_equal", sluice.start = 0 : i64} : i4
//>     %7 = arith.select %6, %5, %4 {sluice.class = "mux", sluice.start = 0 : i64} : i4
//>     %c2_i4 = arith.constant 2 : i4
//>     %8 = arith.shrui %7, %c2_i4 {sluice.class = "shift_constant", sluice.start = 0 : i64} : i4
//>     %9 = arith.trunci %8 {sluice.class = "wire", sluice.start = 0 : i64} : i4 to i2
//>     %10 = arith.trunci %7 {sluice.class = "wire", sluice.start = 0 : i64} : i4 to i2
//>     %c0_i2 = arith.constant 0 : i2
//>     %11 = arith.cmpi eq, %9, %c0_i2 {sluice.class = "compare_equal", sluice.start = 0 : i64} : i2
//>     %12 = arith.select %11, %10, %9 {sluice.class = "mux", sluice.start = 0 : i64} : i2
//>     %c1_i2 = arith.constant 1 : i2
//>     %13 = arith.shrui %12, %c1_i2 {sluice.class = "shift_constant", sluice.start = 0 : i64} : i2
//>     %14 = arith.trunci %13 {sluice.class = "wire", sluice.start = 0 : i64} : i2 to i1
//>     %false = arith.constant false
//>     %15 = arith.cmpi eq, %14, %false {sluice.class = "compare_equal", sluice.start = 0 : i64} : i1
//>     %16 = arith.extui %6 {sluice.class = "wire", sluice.start = 1 : i64} : i1 to i2
//>     %17 = arith.shli %16, %c1_i2 {sluice.class = "shift_constant", sluice.start = 1 : i64} : i2
//>     %18 = arith.extui %11 {sluice.class = "wire", sluice.start = 1 : i64} : i1 to i2
//>     %19 = arith.ori %17, %18 {sluice.class = "wire", sluice.start = 1 : i64} : i2
//>     %20 = arith.extui %19 {sluice.class = "wire", sluice.start = 1 : i64} : i2 to i3
//>     %c1_i3 = arith.constant 1 : i3
//>     %21 = arith.shli %20, %c1_i3 {sluice.class = "shift_constant", sluice.start = 1 : i64} : i3
//>     %22 = arith.extui %15 {sluice.class = "wire", sluice.start = 1 : i64} : i1 to i3
//>     %23 = arith.ori %21, %22 {sluice.class = "wire", sluice.start = 1 : i64} : i3
//>     %c-14_i5 = arith.constant -14 : i5
//>     %24 = arith.extui %23 {sluice.class = "wire", sluice.start = 1 : i64} : i3 to i5
//>     %25 = arith.subi %c-14_i5, %24 {sluice.class = "subtract", sluice.start = 1 : i64} : i5
//>     %c1_i5 = arith.constant 1 : i5
//>     %26 = arith.cmpi ult, %25, %c1_i5 {sluice.class = "compare_order", sluice.start = 1 : i64} : i5
//>     %27 = arith.select %6, %c0_i4, %arg0 {sluice.class = "mux", sluice.start = 1 : i64} : i4
//>     %28 = arith.trunci %27 {sluice.class = "wire", sluice.start = 1 : i64} : i4 to i2
//>     %29 = arith.extui %28 {sluice.class = "wire", sluice.start = 1 : i64} : i2 to i4
//>     %30 = arith.shli %29, %c2_i4 {sluice.class = "shift_constant", sluice.start = 1 : i64} : i4
//>     %31 = arith.select %11, %30, %27 {sluice.class = "mux", sluice.start = 1 : i64} : i4
//>     %32 = arith.trunci %31 {sluice.class = "wire", sluice.start = 1 : i64} : i4 to i3
//>     %33 = arith.extui %32 {sluice.class = "wire", sluice.start = 1 : i64} : i3 to i4
//>     %c1_i4 = arith.constant 1 : i4
//>     %34 = arith.shli %33, %c1_i4 {sluice.class = "shift_constant", sluice.start = 1 : i64} : i4
//>     %35 = arith.select %15, %34, %31 {sluice.class = "mux", sluice.start = 1 : i64} : i4
//>     %36 = arith.extui %35 {sluice.class = "wire", sluice.start = 1 : i64} : i4 to i5
//>     %37 = arith.shli %36, %c1_i5 {sluice.class = "shift_constant", sluice.start = 1 : i64} : i5
//>     %38 = arith.shrui %37, %c1_i5 {sluice.class = "shift_constant", sluice.start = 1 : i64} : i5
//>     %39 = arith.trunci %38 {sluice.class = "wire", sluice.start = 1 : i64} : i5 to i4
//>     %40 = arith.shrui %39, %c1_i4 {sluice.class = "shift_constant", sluice.start = 1 : i64} : i4
//>     %41 = arith.trunci %40 {sluice.class = "wire", sluice.start = 1 : i64} : i4 to i3
//>     %c1_i6 = arith.constant 1 : i6
//>     %42 = arith.extui %25 {sluice.class = "wire", sluice.start = 1 : i64} : i5 to i6
//>     %43 = arith.subi %c1_i6, %42 {sluice.class = "subtract", sluice.start = 1 : i64} : i6
//>     %44 = arith.trunci %43 {sluice.class = "wire", sluice.start = 1 : i64} : i6 to i1
//>     %45 = arith.extui %41 {sluice.class = "wire", sluice.start = 1 : i64} : i3 to i4
//>     %46 = arith.select %44, %45, %39 {sluice.class = "mux", sluice.start = 1 : i64} : i4
//>     %47 = arith.trunci %46 {sluice.class = "wire", sluice.start = 1 : i64} : i4 to i2
//>     %48 = arith.cmpi eq, %47, %c0_i2 {sluice.class = "compare_equal", sluice.start = 1 : i64} : i2
//>     %true = arith.constant true
//>     %49 = arith.xori %48, %true {sluice.class = "logic", sluice.start = 1 : i64} : i1
//>     %50 = arith.trunci %43 {sluice.class = "wire", sluice.start = 1 : i64} : i6 to i2
//>     %51 = arith.shrui %50, %c1_i2 {sluice.class = "shift_constant", sluice.start = 1 : i64} : i2
//>     %52 = arith.trunci %51 {sluice.class = "wire", sluice.start = 1 : i64} : i2 to i1
//>     %53 = arith.andi %52, %49 {sluice.class = "logic", sluice.start = 1 : i64} : i1
//>     %54 = arith.trunci %39 {sluice.class = "wire", sluice.start = 1 : i64} : i4 to i1
//>     %55 = arith.cmpi eq, %54, %false {sluice.class = "compare_equal", sluice.start = 1 : i64} : i1
//>     %56 = arith.xori %55, %true {sluice.class = "logic", sluice.start = 1 : i64} : i1
//>     %57 = arith.andi %44, %56 {sluice.class = "logic", sluice.start = 1 : i64} : i1
//>     %58 = arith.ori %57, %53 {sluice.class = "logic", sluice.start = 1 : i64} : i1
//>     %59 = arith.cmpi eq, %39, %c0_i4 {sluice.class = "compare_equal", sluice.start = 1 : i64} : i4
//>     %60 = arith.xori %59, %true {sluice.class = "logic", sluice.start = 1 : i64} : i1
//>     %61 = arith.extsi %43 {sluice.class = "wire", sluice.start = 1 : i64} : i6 to i9
//>     %c2_i9 = arith.constant 2 : i9
//>     %62 = arith.shrui %61, %c2_i9 {sluice.class = "shift_constant", sluice.start = 1 : i64} : i9
//>     %63 = arith.trunci %62 {sluice.class = "wire", sluice.start = 1 : i64} : i9 to i7
//>     %64 = arith.trunci %63 {sluice.class = "wire", sluice.start = 1 : i64} : i7 to i4
//>     %65 = arith.cmpi eq, %64, %c0_i4 {sluice.class = "compare_equal", sluice.start = 1 : i64} : i4
//>     %66 = arith.xori %65, %true {sluice.class = "logic", sluice.start = 1 : i64} : i1
//>     %67 = arith.select %66, %60, %58 {sluice.class = "mux", sluice.start = 1 : i64} : i1
//>     %68 = arith.andi %67, %26 {sluice.class = "logic", sluice.start = 1 : i64} : i1
//>     %69 = arith.trunci %37 {sluice.class = "wire", sluice.start = 1 : i64} : i5 to i1
//>     %70 = arith.cmpi eq, %69, %false {sluice.class = "compare_equal", sluice.start = 1 : i64} : i1
//>     %71 = arith.xori %70, %true {sluice.class = "logic", sluice.start = 1 : i64} : i1
//>     %72 = arith.ori %71, %68 {sluice.class = "wire", sluice.start = 1 : i64} : i1
//>     %73 = arith.shrui %46, %c2_i4 {sluice.class = "shift_constant", sluice.start = 1 : i64} : i4
//>     %74 = arith.trunci %73 {sluice.class = "wire", sluice.start = 1 : i64} : i4 to i2
//>     %75 = arith.extui %74 {sluice.class = "wire", sluice.start = 1 : i64} : i2 to i4
//>     %76 = arith.select %52, %75, %46 {sluice.class = "mux", sluice.start = 1 : i64} : i4
//>     %77 = arith.trunci %76 {sluice.class = "wire", sluice.start = 1 : i64} : i4 to i1
//>     %78 = arith.select %66, %false, %77 {sluice.class = "mux", sluice.start = 1 : i64} : i1
//>     %79 = arith.extui %78 {sluice.class = "wire", sluice.start = 1 : i64} : i1 to i4
//>     %80 = arith.select %26, %79, %39 {sluice.class = "mux", sluice.start = 1 : i64} : i4
//>     %81 = arith.extui %80 {sluice.class = "wire", sluice.start = 1 : i64} : i4 to i5
//>     %82 = arith.shli %81, %c1_i5 {sluice.class = "shift_constant", sluice.start = 1 : i64} : i5
//>     %83 = arith.extui %72 {sluice.class = "wire", sluice.start = 1 : i64} : i1 to i5
//>     %84 = arith.ori %82, %83 {sluice.class = "wire", sluice.start = 1 : i64} : i5
//>     %c2_i5 = arith.constant 2 : i5
//>     %85 = arith.shrui %84, %c2_i5 {sluice.class = "shift_constant", sluice.start = 1 : i64} : i5
//>     %86 = arith.trunci %85 {sluice.class = "wire", sluice.start = 1 : i64} : i5 to i3
//>     %87 = arith.trunci %86 {sluice.class = "wire", sluice.start = 1 : i64} : i3 to i1
//>     %88 = arith.trunci %84 {sluice.class = "wire", sluice.start = 1 : i64} : i5 to i2
//>     %89 = arith.trunci %88 {sluice.class = "wire", sluice.start = 1 : i64} : i2 to i1
//>     %90 = arith.cmpi eq, %89, %false {sluice.class = "compare_equal", sluice.start = 1 : i64} : i1
//>     %91 = arith.xori %90, %true {sluice.class = "logic", sluice.start = 1 : i64} : i1
//>     %92 = arith.ori %91, %87 {sluice.class = "logic", sluice.start = 1 : i64} : i1
//>     %93 = arith.shrui %88, %c1_i2 {sluice.class = "shift_constant", sluice.start = 1 : i64} : i2
//>     %94 = arith.trunci %93 {sluice.class = "wire", sluice.start = 1 : i64} : i2 to i1
//>     %95 = arith.andi %94, %92 {sluice.class = "logic", sluice.start = 1 : i64} : i1
//>     %96 = arith.trunci %86 {sluice.class = "wire", sluice.start = 1 : i64} : i3 to i2
//>     %c2_i3 = arith.constant 2 : i3
//>     %97 = arith.shrui %86, %c2_i3 {sluice.class = "shift_constant", sluice.start = 1 : i64} : i3
//>     %98 = arith.trunci %97 {sluice.class = "wire", sluice.start = 1 : i64} : i3 to i1
//>     %c0_i5 = arith.constant 0 : i5
//>     %99 = arith.select %98, %25, %c0_i5 {sluice.class = "mux", sluice.start = 1 : i64} : i5
//>     %100 = arith.extui %99 {sluice.class = "wire", sluice.start = 1 : i64} : i5 to i7
//>     %c2_i7 = arith.constant 2 : i7
//>     %101 = arith.shli %100, %c2_i7 {sluice.class = "shift_constant", sluice.start = 1 : i64} : i7
//>     %102 = arith.extui %96 {sluice.class = "wire", sluice.start = 1 : i64} : i2 to i7
//>     %103 = arith.ori %101, %102 {sluice.class = "wire", sluice.start = 1 : i64} : i7
//>     %104 = arith.extui %103 {sluice.class = "wire", sluice.start = 2 : i64} : i7 to i8
//>     %105 = arith.extui %95 {sluice.class = "wire", sluice.start = 2 : i64} : i1 to i8
//>     %106 = arith.addi %104, %105 {sluice.class = "add", sluice.start = 2 : i64} : i8
//>     %107 = arith.trunci %106 {sluice.class = "wire", sluice.start = 2 : i64} : i8 to i7
//>     %c7_i8 = arith.constant 7 : i8
//>     %108 = arith.shrui %106, %c7_i8 {sluice.class = "shift_constant", sluice.start = 2 : i64} : i8
//>     %109 = arith.trunci %108 {sluice.class = "wire", sluice.start = 2 : i64} : i8 to i1
//>     %110 = arith.shrui %107, %c2_i7 {sluice.class = "shift_constant", sluice.start = 2 : i64} : i7
//>     %111 = arith.trunci %110 {sluice.class = "wire", sluice.start = 2 : i64} : i7 to i5
//>     %c-1_i5 = arith.constant -1 : i5
//>     %112 = arith.xori %111, %c-1_i5 {sluice.class = "logic", sluice.start = 2 : i64} : i5
//>     %113 = arith.cmpi eq, %112, %c0_i5 {sluice.class = "compare_equal", sluice.start = 2 : i64} : i5
//>     %114 = arith.ori %113, %109 {sluice.class = "logic", sluice.start = 2 : i64} : i1
//>     %c-4_i7 = arith.constant -4 : i7
//>     %115 = arith.select %114, %c-4_i7, %107 {sluice.class = "mux", sluice.start = 2 : i64} : i7
//>     %116 = arith.cmpi eq, %arg0, %c0_i4 {sluice.class = "compare_equal", sluice.start = 2 : i64} : i4
//>     %c0_i7 = arith.constant 0 : i7
//>     %117 = arith.select %116, %c0_i7, %115 {sluice.class = "mux", sluice.start = 2 : i64} : i7
//>     %118 = arith.extui %117 {sluice.class = "wire", sluice.start = 2 : i64} : i7 to i8
//>     return %118 : i8
//>   }
//> }
