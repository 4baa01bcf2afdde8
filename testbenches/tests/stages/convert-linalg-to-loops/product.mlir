// passes: convert-linalg-to-loops

func.func @windows(%x: memref<6xi32>, %k: memref<2xi32>, %y: memref<5xi32>) {
  linalg.conv_1d ins(%x, %k : memref<6xi32>, memref<2xi32>) outs(%y : memref<5xi32>)
  return
}
