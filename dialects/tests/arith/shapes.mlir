// Which shapes, sizes and encodings go together.
func.func @f(%a: vector<4xi32>) { %0 = arith.trunci %a : vector<4xi32> to vector<[4]xi8> return }
// -----
func.func @f(%a: vector<[4]xi32>) { %0 = arith.trunci %a : vector<[4]xi32> to vector<[4]xi8> return }
// -----
func.func @f(%a: tensor<4xi32>) { %0 = arith.extsi %a : tensor<4xi32> to tensor<?xi64> return }
// -----
func.func @f(%a: tensor<*xi32>) { %0 = arith.extui %a : tensor<*xi32> to tensor<*xi64> return }
// -----
func.func @f(%a: tensor<*xi32>) { %0 = arith.extui %a : tensor<*xi32> to tensor<4xi64> return }
// -----
func.func @f(%a: tensor<4xi32>) { %0 = arith.sitofp %a : tensor<4xi32> to vector<4xf32> return }
// -----
func.func @f(%a: tensor<2xf32, "foo">) { %0 = arith.extf %a : tensor<2xf32, "foo"> to tensor<2xf64, "bar"> return }
// -----
func.func @f(%a: tensor<2xf64, "foo">) { %0 = arith.truncf %a : tensor<2xf64, "foo"> to tensor<2xf32, "foo"> return }
// -----
func.func @f(%a: memref<4xi32>) { %0 = arith.bitcast %a : memref<4xi32> to memref<?xf32> return }
// -----
func.func @f(%a: vector<[4]xi32>) { %0 = arith.bitcast %a : vector<[4]xi32> to vector<4xf32> return }
// -----
func.func @f(%a: vector<[4]xindex>) { %0 = arith.index_cast %a : vector<[4]xindex> to vector<4xi32> return }
// -----
func.func @f(%a: tensor<4xindex>) { %0 = arith.index_castui %a : tensor<4xindex> to memref<4xi32> return }
// -----
func.func @f(%a: vector<8xi32>) { %r:2 = arith.addui_extended %a, %a : vector<8xi32>, tensor<8xi1> return }
// -----
func.func @f(%a: tensor<8xi32>) { %r:2 = arith.addui_extended %a, %a : tensor<8xi32>, tensor<?xi1> return }
// -----
func.func @f(%a: i32) { %r:2 = "arith.addui_extended"(%a, %a) : (i32, i32) -> (i32, si1) return }
// -----
func.func @f(%a: vector<[4]xi32>, %b: vector<4xi32>) {
  %r = "arith.addi"(%a, %b) : (vector<[4]xi32>, vector<4xi32>) -> vector<[4]xi32>
  return
}
// -----
func.func @f(%a: tensor<4xi32>, %b: tensor<*xi32>) {
  %r = "arith.muli"(%a, %b) : (tensor<4xi32>, tensor<*xi32>) -> tensor<4xi32>
  return
}
// -----
func.func @f(%a: tensor<?xi32>) {
  %r = "arith.subi"(%a, %a) : (tensor<?xi32>, tensor<?xi32>) -> tensor<4xi32>
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32, "e">) {
  %r = "arith.addf"(%b, %a) : (tensor<4xf32, "e">, tensor<4xf32>) -> tensor<4xf32, "e">
  return
}
// -----
func.func @f(%a: tensor<4xf32>) {
  %r = "arith.negf"(%a) : (tensor<4xf32>) -> tensor<4xf32, "e">
  return
}
// -----
func.func @f(%a: vector<[4]xi32>) { %r = arith.cmpi eq, %a, %a : vector<[4]xi32> "x"(%r) : (vector<4xi1>) -> () return }
// -----
func.func @f(%a: i32) {
  %r = "arith.cmpi"(%a, %a) <{predicate = 0 : index}> : (i32, i32) -> i1
  return
}
// -----
func.func @f(%a: tensor<4xi1>, %x: tensor<?xi32>) { %r = arith.select %a, %x, %x : tensor<4xi1>, tensor<?xi32> return }
// -----
func.func @f(%a: vector<4xi1>, %x: tensor<4xi32>) { %r = arith.select %a, %x, %x : vector<4xi1>, tensor<4xi32> return }
// -----
func.func @f(%a: tensor<4xi1>, %x: tensor<4xi32, "e">) {
  %r = arith.select %a, %x, %x : tensor<4xi1>, tensor<4xi32, "e">
  return
}
// -----
func.func @f(%a: tensor<4xi1, "e">, %x: tensor<4xi32, "e">) {
  %r = arith.select %a, %x, %x : tensor<4xi1, "e">, tensor<4xi32, "e">
  return
}
// -----
func.func @f(%a: vector<4xi1>, %x: vector<[4]xi32>) { %r = arith.select %a, %x, %x : vector<4xi1>, vector<[4]xi32> return }
// -----
func.func @f(%a: vector<[4]xf32>, %b: vector<[4]xi32>) {
  %r = "math.fpowi"(%a, %b) : (vector<[4]xf32>, vector<[4]xi32>) -> vector<4xf32>
  return
}
// -----
func.func @f(%a: vector<4xf32>, %b: i32) { %r = math.fpowi %a, %b : vector<4xf32>, i32 return }
// -----
func.func @f(%a: tensor<4xf32>, %b: tensor<?xi32>) { %r = math.fpowi %a, %b : tensor<4xf32>, tensor<?xi32> return }
