func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.constant 1 : i32
  %1 = arith.constant true
  %2 = arith.constant {t.a} 1.5 : f32
  %3 = arith.constant dense<1> : tensor<2xi32>
  %4 = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %5 = arith.constant 0x7FC00000 : f32
  %6 = arith.constant -1 : i8
  %7 = arith.constant 5
  %8 = arith.constant 1.0
  %9 = arith.constant sparse<[[0]], [1]> : tensor<4xi32>
  %10 = arith.constant dense_resource<foo> : tensor<4xi32>
  %11 = arith.constant 3 : index
  %12 = arith.constant 0 : i1
  %13 = arith.constant -5 : index
  %14 = arith.constant dense<true> : vector<2xi1>
  %15 = arith.constant array<i32: 1>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.constant "x"
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.constant 5 : si32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.constant [1]
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.constant i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.constant unit
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = "arith.constant"() <{value = 1 : i32}> : () -> i64
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = "arith.constant"() <{value = 1 : i32}> : () -> f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.constant 1.0 : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.constant 1 : f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.constant dense<1> : vector<[4]xi32>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.constant dense<[1,2,3,4]> : vector<[4]xi32>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.constant 256 : i8
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addi %x, %x : f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addi %i, %j : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addi %i : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addi %i, %i, %i : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = "arith.addi"(%i, %j) : (i32, i64) -> i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = "arith.addi"(%i, %i) : (i32, i32) -> i64
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = "arith.addi"(%i) : (i32) -> i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = "arith.addi"(%i, %i) : (i32, i32) -> ()
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = "arith.addi"(%v, %i) : (vector<4xi32>, i32) -> vector<4xi32>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addi %i, %i overflow<foo> : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addi %i, %i overflow nsw : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addi %i, %i overflow<> : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addi %i, %i fastmath<fast> : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addf %i, %i : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addf %x, %x fastmath<foo> : f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addf %x, %x fastmath<nnan ninf> : f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addi %i, %i {overflowFlags = 3} : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addi %i, %i {overflowFlags = #arith.overflow<nsw>} : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.negf %i : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.extsi %i : i32 to i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.extsi %i : i32 to i16
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.extui %j : i64 to i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.extui %x : f32 to i64
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.extsi %i : i32 to f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.extui %n : index to i64
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.trunci %i : i32 to i64
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.trunci %i : i32 to i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.trunci %v : vector<4xi32> to vector<5xi8>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.trunci %v : vector<4xi32> to i8
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.extf %d : f64 to f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.extf %h : f16 to bf16
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.extf %i : i32 to f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.truncf %x : f32 to f64
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.truncf %h : f16 to bf16
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.truncf %x foo : f32 to f16
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.sitofp %x : f32 to f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.sitofp %i : i32 to i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.uitofp %n : index to f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.fptosi %x : f32 to index
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.fptoui %i : i32 to i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.index_cast %i : i32 to i64
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.index_cast %n : index to index
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.index_cast %x : f32 to index
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.index_cast %n : index to f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.index_castui %v : vector<4xi32> to vector<5xindex>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.index_cast %mi : memref<4xi32> to memref<5xindex>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.bitcast %i : i32 to f64
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.bitcast %i : i32 to i64
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.bitcast %v : vector<4xi32> to vector<2xi64>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.bitcast %n : index to i64
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.bitcast %i : i32 to i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.cmpi foo, %i, %i : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.cmpi eq, %x, %x : f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.cmpi eq, %i, %j : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = "arith.cmpi"(%i, %j) <{predicate = 0 : i64}> : (i32, i64) -> i1
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = "arith.cmpi"(%i, %i) <{predicate = 0 : i64}> : (i32, i32) -> vector<2xi1>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = "arith.cmpi"(%v, %v) <{predicate = 0 : i64}> : (vector<4xi32>, vector<4xi32>) -> vector<5xi1>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = "arith.cmpi"(%i, %i) : (i32, i32) -> i1
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.cmpf oeq, %i, %i : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.cmpf foo, %x, %x : f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = "arith.cmpf"(%x, %x) <{predicate = 99 : i64}> : (f32, f32) -> i1
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.select %i, %i, %i : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.select %b, %i, %j : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = "arith.select"(%b, %i, %j) : (i1, i32, i64) -> i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.select %bv, %v : vector<4xi1>, vector<4xi32>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.select %ti, %v, %v : tensor<?xi1>, vector<4xi32>
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.addui_extended %i, %i : i32, i2
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0, %1 = arith.addui_extended %i, %i : i32, i2
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0, %1 = arith.addui_extended %x, %x : f32, i1
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0, %1 = arith.mulsi_extended %x, %x : f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.mulsi_extended %i, %i : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0, %1 = "arith.mulsi_extended"(%i, %i) : (i32, i32) -> (i32, i64)
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0, %1 = "arith.addui_extended"(%i, %i) : (i32, i32) -> (i32, i32)
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0, %1 = "arith.addui_extended"(%v, %v) : (vector<4xi32>, vector<4xi32>) -> (vector<4xi32>, i1)
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.foo %i : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.maxsi %x, %x : f32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  %0 = arith.shli %i, %i overflow<nsw> {overflowFlags = #arith.overflow<nuw>} : i32
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  "t.x"() {a = #arith.fastmath<nnan,ninf>, b = #arith.overflow<nsw, nuw>, c = #arith.fastmath<none>, d = #arith.overflow<none>, e = #arith.fastmath<fast>} : () -> ()
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  "t.x"() {a = #arith.foo} : () -> ()
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  "t.x"() {a = #arith.fastmath<foo>} : () -> ()
  return
}
// -----
func.func @f(%i: i32, %j: i64, %x: f32, %d: f64, %n: index, %b: i1, %v: vector<4xi32>, %w: vector<4xf32>, %t: tensor<?xi32>, %h: f16, %bv: vector<4xi1>, %ti: tensor<?xi1>, %bf: bf16, %vx: vector<4xindex>, %mi: memref<4xi32>, %mn: memref<4xindex>) {
  "t.x"() {a = #arith.fastmath} : () -> ()
  return
}
