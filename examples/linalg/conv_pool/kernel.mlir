// A 3 by 3 convolution with three input and four output channels, then the maximum of each 2 by 2 window, on memories.
func.func @conv_pool(%x: memref<1x8x8x3xi8>, %k: memref<3x3x3x4xi8>, %y: memref<1x3x3x4xi32>) {
  %zero = arith.constant 0 : i32
  %lowest = arith.constant -2147483648 : i32
  %sums = memref.alloc() : memref<1x6x6x4xi32>
  %window = memref.alloc() : memref<2x2xi32>
  linalg.fill ins(%zero : i32) outs(%sums : memref<1x6x6x4xi32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : memref<1x8x8x3xi8>, memref<3x3x3x4xi8>) outs(%sums : memref<1x6x6x4xi32>)
  linalg.fill ins(%lowest : i32) outs(%y : memref<1x3x3x4xi32>)
  linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%sums, %window : memref<1x6x6x4xi32>, memref<2x2xi32>) outs(%y : memref<1x3x3x4xi32>)
  memref.dealloc %sums : memref<1x6x6x4xi32>
  memref.dealloc %window : memref<2x2xi32>
  return
}
