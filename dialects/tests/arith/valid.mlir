func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addi %i, %i : i32
  %1 = arith.subi %i, %i : i32
  %2 = arith.muli %i, %i : i32
  %3 = arith.divsi %i, %i : i32
  %4 = arith.divui %i, %i : i32
  %5 = arith.ceildivsi %i, %i : i32
  %6 = arith.ceildivui %i, %i : i32
  %7 = arith.floordivsi %i, %i : i32
  %8 = arith.remsi %i, %i : i32
  %9 = arith.remui %i, %i : i32
  %10 = arith.andi %i, %i : i32
  %11 = arith.ori %i, %i : i32
  %12 = arith.xori %i, %i : i32
  %13 = arith.shli %i, %i : i32
  %14 = arith.shrsi %i, %i : i32
  %15 = arith.shrui %i, %i : i32
  %16 = arith.maxsi %i, %i : i32
  %17 = arith.maxui %i, %i : i32
  %18 = arith.minsi %i, %i : i32
  %19 = arith.minui %i, %i : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addi %v, %v {t.a} : vector<4xi32>
  %1 = arith.subi %v, %v {t.a} : vector<4xi32>
  %2 = arith.muli %v, %v {t.a} : vector<4xi32>
  %3 = arith.divsi %v, %v {t.a} : vector<4xi32>
  %4 = arith.divui %v, %v {t.a} : vector<4xi32>
  %5 = arith.ceildivsi %v, %v {t.a} : vector<4xi32>
  %6 = arith.ceildivui %v, %v {t.a} : vector<4xi32>
  %7 = arith.floordivsi %v, %v {t.a} : vector<4xi32>
  %8 = arith.remsi %v, %v {t.a} : vector<4xi32>
  %9 = arith.remui %v, %v {t.a} : vector<4xi32>
  %10 = arith.andi %v, %v {t.a} : vector<4xi32>
  %11 = arith.ori %v, %v {t.a} : vector<4xi32>
  %12 = arith.xori %v, %v {t.a} : vector<4xi32>
  %13 = arith.shli %v, %v {t.a} : vector<4xi32>
  %14 = arith.shrsi %v, %v {t.a} : vector<4xi32>
  %15 = arith.shrui %v, %v {t.a} : vector<4xi32>
  %16 = arith.maxsi %v, %v {t.a} : vector<4xi32>
  %17 = arith.maxui %v, %v {t.a} : vector<4xi32>
  %18 = arith.minsi %v, %v {t.a} : vector<4xi32>
  %19 = arith.minui %v, %v {t.a} : vector<4xi32>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addi %n, %n : index
  %1 = arith.subi %n, %n : index
  %2 = arith.muli %n, %n : index
  %3 = arith.divsi %n, %n : index
  %4 = arith.divui %n, %n : index
  %5 = arith.ceildivsi %n, %n : index
  %6 = arith.ceildivui %n, %n : index
  %7 = arith.floordivsi %n, %n : index
  %8 = arith.remsi %n, %n : index
  %9 = arith.remui %n, %n : index
  %10 = arith.andi %n, %n : index
  %11 = arith.ori %n, %n : index
  %12 = arith.xori %n, %n : index
  %13 = arith.shli %n, %n : index
  %14 = arith.shrsi %n, %n : index
  %15 = arith.shrui %n, %n : index
  %16 = arith.maxsi %n, %n : index
  %17 = arith.maxui %n, %n : index
  %18 = arith.minsi %n, %n : index
  %19 = arith.minui %n, %n : index
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addi %t, %t : tensor<?xi32>
  %1 = arith.subi %t, %t : tensor<?xi32>
  %2 = arith.muli %t, %t : tensor<?xi32>
  %3 = arith.divsi %t, %t : tensor<?xi32>
  %4 = arith.divui %t, %t : tensor<?xi32>
  %5 = arith.ceildivsi %t, %t : tensor<?xi32>
  %6 = arith.ceildivui %t, %t : tensor<?xi32>
  %7 = arith.floordivsi %t, %t : tensor<?xi32>
  %8 = arith.remsi %t, %t : tensor<?xi32>
  %9 = arith.remui %t, %t : tensor<?xi32>
  %10 = arith.andi %t, %t : tensor<?xi32>
  %11 = arith.ori %t, %t : tensor<?xi32>
  %12 = arith.xori %t, %t : tensor<?xi32>
  %13 = arith.shli %t, %t : tensor<?xi32>
  %14 = arith.shrsi %t, %t : tensor<?xi32>
  %15 = arith.shrui %t, %t : tensor<?xi32>
  %16 = arith.maxsi %t, %t : tensor<?xi32>
  %17 = arith.maxui %t, %t : tensor<?xi32>
  %18 = arith.minsi %t, %t : tensor<?xi32>
  %19 = arith.minui %t, %t : tensor<?xi32>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %addi = arith.addi %i, %i overflow<nsw> : i32
  %addi1 = arith.addi %i, %i overflow<nuw> : i32
  %addi2 = arith.addi %i, %i overflow<nuw, nsw> : i32
  %addi3 = arith.addi %i, %i overflow<none> : i32
  %addi4 = arith.addi %i, %i overflow<nsw,nsw> : i32
  %subi = arith.subi %i, %i overflow<nsw> : i32
  %subi1 = arith.subi %i, %i overflow<nuw> : i32
  %subi2 = arith.subi %i, %i overflow<nuw, nsw> : i32
  %subi3 = arith.subi %i, %i overflow<none> : i32
  %subi4 = arith.subi %i, %i overflow<nsw,nsw> : i32
  %muli = arith.muli %i, %i overflow<nsw> : i32
  %muli1 = arith.muli %i, %i overflow<nuw> : i32
  %muli2 = arith.muli %i, %i overflow<nuw, nsw> : i32
  %muli3 = arith.muli %i, %i overflow<none> : i32
  %muli4 = arith.muli %i, %i overflow<nsw,nsw> : i32
  %shli = arith.shli %i, %i overflow<nsw> : i32
  %shli1 = arith.shli %i, %i overflow<nuw> : i32
  %shli2 = arith.shli %i, %i overflow<nuw, nsw> : i32
  %shli3 = arith.shli %i, %i overflow<none> : i32
  %shli4 = arith.shli %i, %i overflow<nsw,nsw> : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %addf0 = arith.addf %x, %x fastmath<fast> : f32
  %addf1 = arith.addf %x, %x fastmath<nnan,contract> : f32
  %addf2 = arith.addf %x, %x fastmath<none> : f32
  %addf3 = arith.addf %x, %x fastmath<reassoc,nnan,ninf,nsz,arcp,contract,afn> : f32
  %addf4 = arith.addf %x, %x fastmath<afn> : f32
  %subf0 = arith.subf %x, %x fastmath<fast> : f32
  %subf1 = arith.subf %x, %x fastmath<nnan,contract> : f32
  %subf2 = arith.subf %x, %x fastmath<none> : f32
  %subf3 = arith.subf %x, %x fastmath<reassoc,nnan,ninf,nsz,arcp,contract,afn> : f32
  %subf4 = arith.subf %x, %x fastmath<afn> : f32
  %mulf0 = arith.mulf %x, %x fastmath<fast> : f32
  %mulf1 = arith.mulf %x, %x fastmath<nnan,contract> : f32
  %mulf2 = arith.mulf %x, %x fastmath<none> : f32
  %mulf3 = arith.mulf %x, %x fastmath<reassoc,nnan,ninf,nsz,arcp,contract,afn> : f32
  %mulf4 = arith.mulf %x, %x fastmath<afn> : f32
  %divf0 = arith.divf %x, %x fastmath<fast> : f32
  %divf1 = arith.divf %x, %x fastmath<nnan,contract> : f32
  %divf2 = arith.divf %x, %x fastmath<none> : f32
  %divf3 = arith.divf %x, %x fastmath<reassoc,nnan,ninf,nsz,arcp,contract,afn> : f32
  %divf4 = arith.divf %x, %x fastmath<afn> : f32
  %remf0 = arith.remf %x, %x fastmath<fast> : f32
  %remf1 = arith.remf %x, %x fastmath<nnan,contract> : f32
  %remf2 = arith.remf %x, %x fastmath<none> : f32
  %remf3 = arith.remf %x, %x fastmath<reassoc,nnan,ninf,nsz,arcp,contract,afn> : f32
  %remf4 = arith.remf %x, %x fastmath<afn> : f32
  %maximumf0 = arith.maximumf %x, %x fastmath<fast> : f32
  %maximumf1 = arith.maximumf %x, %x fastmath<nnan,contract> : f32
  %maximumf2 = arith.maximumf %x, %x fastmath<none> : f32
  %maximumf3 = arith.maximumf %x, %x fastmath<reassoc,nnan,ninf,nsz,arcp,contract,afn> : f32
  %maximumf4 = arith.maximumf %x, %x fastmath<afn> : f32
  %minimumf0 = arith.minimumf %x, %x fastmath<fast> : f32
  %minimumf1 = arith.minimumf %x, %x fastmath<nnan,contract> : f32
  %minimumf2 = arith.minimumf %x, %x fastmath<none> : f32
  %minimumf3 = arith.minimumf %x, %x fastmath<reassoc,nnan,ninf,nsz,arcp,contract,afn> : f32
  %minimumf4 = arith.minimumf %x, %x fastmath<afn> : f32
  %maxnumf0 = arith.maxnumf %x, %x fastmath<fast> : f32
  %maxnumf1 = arith.maxnumf %x, %x fastmath<nnan,contract> : f32
  %maxnumf2 = arith.maxnumf %x, %x fastmath<none> : f32
  %maxnumf3 = arith.maxnumf %x, %x fastmath<reassoc,nnan,ninf,nsz,arcp,contract,afn> : f32
  %maxnumf4 = arith.maxnumf %x, %x fastmath<afn> : f32
  %minnumf0 = arith.minnumf %x, %x fastmath<fast> : f32
  %minnumf1 = arith.minnumf %x, %x fastmath<nnan,contract> : f32
  %minnumf2 = arith.minnumf %x, %x fastmath<none> : f32
  %minnumf3 = arith.minnumf %x, %x fastmath<reassoc,nnan,ninf,nsz,arcp,contract,afn> : f32
  %minnumf4 = arith.minnumf %x, %x fastmath<afn> : f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.negf %x : f32
  %1 = arith.negf %w fastmath<fast> {t.a} : vector<4xf32>
  %2 = arith.negf %bf : bf16
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0, %1 = arith.addui_extended %i, %i : i32, i1
  %2, %3 = arith.addui_extended %v, %v {t.a} : vector<4xi32>, vector<4xi1>
  %4, %5 = arith.mulsi_extended %i, %i : i32
  %6:2 = arith.mului_extended %v, %v {t.a} : vector<4xi32>
  %7, %8 = arith.mului_extended %n, %n : index
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.extsi %i : i32 to i64
  %1 = arith.extui %i {t.a} : i32 to i64
  %2 = arith.extui %v : vector<4xi32> to vector<4xi64>
  %3 = arith.trunci %j : i64 to i32
  %4 = arith.extf %x : f32 to f64
  %5 = arith.extf %x fastmath<fast> : f32 to f64
  %6 = arith.truncf %d : f64 to f32
  %7 = arith.sitofp %i : i32 to f32
  %8 = arith.uitofp %i : i32 to f64
  %9 = arith.fptosi %x : f32 to i64
  %10 = arith.fptoui %x : f32 to i8
  %11 = arith.index_cast %n : index to i32
  %12 = arith.index_castui %i : i32 to index
  %13 = arith.bitcast %i : i32 to f32
  %14 = arith.bitcast %w : vector<4xf32> to vector<4xi32>
  %15 = arith.index_cast %mi : memref<4xi32> to memref<4xindex>
  %16 = arith.index_cast %vx : vector<4xindex> to vector<4xi32>
  %17 = arith.sitofp %v : vector<4xi32> to vector<4xf32>
  %18 = arith.extf %h : f16 to f32
  %19 = arith.bitcast %mi : memref<4xi32> to memref<4xf32>
  %20 = arith.truncf %d fastmath<fast> : f64 to f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %to_nearest_even = arith.truncf %d to_nearest_even : f64 to f32
  %downward = arith.truncf %d downward : f64 to f32
  %upward = arith.truncf %d upward : f64 to f32
  %toward_zero = arith.truncf %d toward_zero : f64 to f32
  %to_nearest_away = arith.truncf %d to_nearest_away : f64 to f32
  %0 = arith.truncf %d upward fastmath<fast> {t.a} : f64 to f32
  %1 = arith.truncf %x to_nearest_even : f32 to bf16
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %eq0 = arith.cmpi eq, %i, %i : i32
  %ne0 = arith.cmpi ne, %i, %i : i32
  %slt0 = arith.cmpi slt, %i, %i : i32
  %sle0 = arith.cmpi sle, %i, %i : i32
  %sgt0 = arith.cmpi sgt, %i, %i : i32
  %sge0 = arith.cmpi sge, %i, %i : i32
  %ult0 = arith.cmpi ult, %i, %i : i32
  %ule0 = arith.cmpi ule, %i, %i : i32
  %ugt0 = arith.cmpi ugt, %i, %i : i32
  %uge0 = arith.cmpi uge, %i, %i : i32
  %0 = arith.cmpi eq, %v, %v : vector<4xi32>
  %1 = arith.cmpi eq, %t, %t {t.a} : tensor<?xi32>
  %2 = arith.cmpi eq, %n, %n : index
  %3 = arith.cmpi "eq", %b, %b : i1
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %false0 = arith.cmpf false, %x, %x : f32
  %oeq0 = arith.cmpf oeq, %x, %x : f32
  %ogt0 = arith.cmpf ogt, %x, %x : f32
  %oge0 = arith.cmpf oge, %x, %x : f32
  %olt0 = arith.cmpf olt, %x, %x : f32
  %ole0 = arith.cmpf ole, %x, %x : f32
  %one0 = arith.cmpf one, %x, %x : f32
  %ord0 = arith.cmpf ord, %x, %x : f32
  %ueq0 = arith.cmpf ueq, %x, %x : f32
  %ugt0 = arith.cmpf ugt, %x, %x : f32
  %uge0 = arith.cmpf uge, %x, %x : f32
  %ult0 = arith.cmpf ult, %x, %x : f32
  %ule0 = arith.cmpf ule, %x, %x : f32
  %une0 = arith.cmpf une, %x, %x : f32
  %uno0 = arith.cmpf uno, %x, %x : f32
  %true0 = arith.cmpf true, %x, %x : f32
  %0 = arith.cmpf oeq, %w, %w fastmath<nnan> {t.a} : vector<4xf32>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.select %b, %i, %i : i32
  %1 = arith.select %bv, %v, %v : vector<4xi1>, vector<4xi32>
  %2 = arith.select %b, %v, %v {t.a} : vector<4xi32>
  %3 = arith.select %b, %b, %b : i1
  %4 = arith.select %bv, %bv, %bv : vector<4xi1>, vector<4xi1>
  %5 = arith.select %ti, %t, %t : tensor<?xi1>, tensor<?xi32>
  %6 = arith.select %b, %mi, %mi : memref<4xi32>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.constant dense<true> : vector<2xi1>
  %1 = arith.constant 170141183460469231731687303715884105727 : i128
  return
}
