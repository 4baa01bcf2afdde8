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

//> module {
//>   func.func @product(%arg0: memref<2x3xi16>, %arg1: memref<3x4xi16>, %arg2: memref<2x4xi32>) {
//>     affine.for %arg3 = 0 to 2 {
//>       affine.for %arg4 = 0 to 4 {
//>         affine.for %arg5 = 0 to 3 {
//>           %0 = affine.load %arg0[%arg3, %arg5] : memref<2x3xi16>
//>           %1 = affine.load %arg1[%arg5, %arg4] : memref<3x4xi16>
//>           %2 = affine.load %arg2[%arg3, %arg4] : memref<2x4xi32>
//>           %3 = arith.extsi %0 : i16 to i32
//>           %4 = arith.extsi %1 : i16 to i32
//>           %5 = arith.muli %3, %4 : i32
//>           %6 = arith.addi %2, %5 : i32
//>           affine.store %6, %arg2[%arg3, %arg4] : memref<2x4xi32>
//>         }
//>       }
//>     }
//>     return
//>   }
//>   func.func @convolution(%arg0: memref<1x9x2xi8>, %arg1: memref<3x2x4xi8>, %arg2: memref<1x3x4xi32>) {
//>     affine.for %arg3 = 0 to 1 {
//>       affine.for %arg4 = 0 to 3 {
//>         affine.for %arg5 = 0 to 4 {
//>           affine.for %arg6 = 0 to 3 {
//>             affine.for %arg7 = 0 to 2 {
//>               %0 = affine.load %arg0[%arg3, %arg4 * 2 + %arg6 * 2, %arg7] : memref<1x9x2xi8>
//>               %1 = affine.load %arg1[%arg6, %arg7, %arg5] : memref<3x2x4xi8>
//>               %2 = affine.load %arg2[%arg3, %arg4, %arg5] : memref<1x3x4xi32>
//>               %3 = arith.extsi %0 : i8 to i32
//>               %4 = arith.extsi %1 : i8 to i32
//>               %5 = arith.muli %3, %4 : i32
//>               %6 = arith.addi %2, %5 : i32
//>               affine.store %6, %arg2[%arg3, %arg4, %arg5] : memref<1x3x4xi32>
//>             }
//>           }
//>         }
//>       }
//>     }
//>     return
//>   }
//>   func.func @pooling(%arg0: memref<1x6x2xi16>, %arg1: memref<2xi16>, %arg2: memref<1x5x2xi16>) {
//>     affine.for %arg3 = 0 to 1 {
//>       affine.for %arg4 = 0 to 5 {
//>         affine.for %arg5 = 0 to 2 {
//>           affine.for %arg6 = 0 to 2 {
//>             %0 = affine.load %arg0[%arg3, %arg4 + %arg6, %arg5] : memref<1x6x2xi16>
//>             %1 = affine.load %arg2[%arg3, %arg4, %arg5] : memref<1x5x2xi16>
//>             %2 = arith.maxsi %1, %0 : i16
//>             affine.store %2, %arg2[%arg3, %arg4, %arg5] : memref<1x5x2xi16>
//>           }
//>         }
//>       }
//>     }
//>     return
//>   }
//>   func.func @open(%arg0: memref<?x?xi32>, %arg1: i32) {
//>     %c0 = arith.constant 0 : index
//>     %dim = memref.dim %arg0, %c0 : memref<?x?xi32>
//>     affine.for %arg2 = 0 to %dim {
//>       %c1 = arith.constant 1 : index
//>       %dim_0 = memref.dim %arg0, %c1 : memref<?x?xi32>
//>       affine.for %arg3 = 0 to %dim_0 {
//>         affine.store %arg1, %arg0[%arg2, %arg3] : memref<?x?xi32>
//>       }
//>     }
//>     return
//>   }
//>   func.func @weighted(%arg0: memref<8xi32>, %arg1: memref<i32>) {
//>     affine.for %arg2 = 0 to 8 {
//>       %0 = affine.load %arg0[%arg2] : memref<8xi32>
//>       %1 = affine.load %arg1[] : memref<i32>
//>       %2 = arith.index_cast %arg2 : index to i32
//>       %3 = arith.muli %0, %2 : i32
//>       %4 = arith.addi %1, %3 : i32
//>       affine.store %4, %arg1[] : memref<i32>
//>     }
//>     return
//>   }
//> }
