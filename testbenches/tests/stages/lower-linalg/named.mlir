// passes: lower-linalg

// The loops of a product have the names of its dimensions; a convolution with strides and dilations.
func.func @product(%a: memref<2x3xi16>, %b: memref<3x4xi16>, %c: memref<2x4xi32>) {
  linalg.matmul ins(%a, %b : memref<2x3xi16>, memref<3x4xi16>) outs(%c : memref<2x4xi32>)
  return
}

func.func @convolution(%x: memref<1x9x2xi8>, %k: memref<3x2x4xi8>, %y: memref<1x3x4xi32>) {
  linalg.conv_1d_nwc_wcf {dilations = dense<2> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>}
    ins(%x, %k : memref<1x9x2xi8>, memref<3x2x4xi8>) outs(%y : memref<1x3x4xi32>)
  return
}

// The window of a pooling gives its size only, so no word of it is read.
func.func @pooling(%x: memref<1x6x2xi16>, %k: memref<2xi16>, %y: memref<1x5x2xi16>) {
  linalg.pooling_nwc_max ins(%x, %k : memref<1x6x2xi16>, memref<2xi16>) outs(%y : memref<1x5x2xi16>)
  return
}

// Sizes that are only known at run time.
func.func @open(%x: memref<?x?xi32>, %s: i32) {
  linalg.fill ins(%s : i32) outs(%x : memref<?x?xi32>)
  return
}

// Subscripts as values, and a scalar result.
func.func @weighted(%x: memref<8xi32>, %sum: memref<i32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
    ins(%x : memref<8xi32>) outs(%sum : memref<i32>) {
  ^bb0(%v: i32, %so_far: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %p = arith.muli %v, %n : i32
    %s = arith.addi %so_far, %p : i32
    linalg.yield %s : i32
  }
  return
}
