// passes: linalg-generalize-named-ops

func.func @product(%a: memref<2x3xi16>, %b: memref<3x4xi16>, %c: memref<2x4xi32>) {
  linalg.matmul ins(%a, %b : memref<2x3xi16>, memref<3x4xi16>) outs(%c : memref<2x4xi32>)
  return
}

func.func @moved(%x: memref<2x3xf32>, %y: memref<3x2xf32>, %z: memref<3xf32>) {
  linalg.transpose ins(%x : memref<2x3xf32>) outs(%y : memref<3x2xf32>) permutation = [1, 0]
  linalg.reduce { arith.addf } ins(%x : memref<2x3xf32>) outs(%z : memref<3xf32>) dimensions = [0]
  linalg.map { math.absf } ins(%x : memref<2x3xf32>) outs(%x : memref<2x3xf32>)
  return
}
