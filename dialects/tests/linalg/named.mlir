func.func @matmul_memref_f32_11(%a: memref<3x5xf32>, %b: memref<5x4xf32>, %c: memref<3x4xf32>) {
  linalg.matmul ins(%a, %b : memref<3x5xf32>, memref<5x4xf32>) outs(%c : memref<3x4xf32>)
  return
}

func.func @matmul_memref_i16_11(%a: memref<3x5xi16>, %b: memref<5x4xi16>, %c: memref<3x4xi32>) {
  linalg.matmul ins(%a, %b : memref<3x5xi16>, memref<5x4xi16>) outs(%c : memref<3x4xi32>)
  return
}

func.func @matmul_tensor_i32_11(%a: tensor<3x5xi32>, %b: tensor<5x4xi32>, %c: tensor<3x4xi32>) -> tensor<3x4xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<3x5xi32>, tensor<5x4xi32>) outs(%c : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

func.func @quantized_matmul_memref_i8_11(%a: memref<3x5xi8>, %b: memref<5x4xi8>, %c: i32, %d: i32, %e: memref<3x4xi32>) {
  linalg.quantized_matmul ins(%a, %b, %c, %d : memref<3x5xi8>, memref<5x4xi8>, i32, i32) outs(%e : memref<3x4xi32>)
  return
}

func.func @quantized_matmul_tensor_i8_11(%a: tensor<3x5xi8>, %b: tensor<5x4xi8>, %c: i32, %d: i32, %e: tensor<3x4xi32>) -> tensor<3x4xi32> {
  %r = linalg.quantized_matmul ins(%a, %b, %c, %d : tensor<3x5xi8>, tensor<5x4xi8>, i32, i32) outs(%e : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

func.func @matmul_transpose_a_memref_f32_11(%a: memref<5x3xf32>, %b: memref<5x4xf32>, %c: memref<3x4xf32>) {
  linalg.matmul_transpose_a ins(%a, %b : memref<5x3xf32>, memref<5x4xf32>) outs(%c : memref<3x4xf32>)
  return
}

func.func @matmul_transpose_a_memref_i16_11(%a: memref<5x3xi16>, %b: memref<5x4xi16>, %c: memref<3x4xi32>) {
  linalg.matmul_transpose_a ins(%a, %b : memref<5x3xi16>, memref<5x4xi16>) outs(%c : memref<3x4xi32>)
  return
}

func.func @matmul_transpose_a_tensor_i32_11(%a: tensor<5x3xi32>, %b: tensor<5x4xi32>, %c: tensor<3x4xi32>) -> tensor<3x4xi32> {
  %r = linalg.matmul_transpose_a ins(%a, %b : tensor<5x3xi32>, tensor<5x4xi32>) outs(%c : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

func.func @matmul_transpose_b_memref_f32_11(%a: memref<3x5xf32>, %b: memref<4x5xf32>, %c: memref<3x4xf32>) {
  linalg.matmul_transpose_b ins(%a, %b : memref<3x5xf32>, memref<4x5xf32>) outs(%c : memref<3x4xf32>)
  return
}

func.func @matmul_transpose_b_memref_i16_11(%a: memref<3x5xi16>, %b: memref<4x5xi16>, %c: memref<3x4xi32>) {
  linalg.matmul_transpose_b ins(%a, %b : memref<3x5xi16>, memref<4x5xi16>) outs(%c : memref<3x4xi32>)
  return
}

func.func @matmul_transpose_b_tensor_i32_11(%a: tensor<3x5xi32>, %b: tensor<4x5xi32>, %c: tensor<3x4xi32>) -> tensor<3x4xi32> {
  %r = linalg.matmul_transpose_b ins(%a, %b : tensor<3x5xi32>, tensor<4x5xi32>) outs(%c : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

func.func @mmt4d_memref_f32_11(%a: memref<3x5x2x2xf32>, %b: memref<4x5x3x2xf32>, %c: memref<3x4x2x3xf32>) {
  linalg.mmt4d ins(%a, %b : memref<3x5x2x2xf32>, memref<4x5x3x2xf32>) outs(%c : memref<3x4x2x3xf32>)
  return
}

func.func @mmt4d_memref_i16_11(%a: memref<3x5x2x2xi16>, %b: memref<4x5x3x2xi16>, %c: memref<3x4x2x3xi32>) {
  linalg.mmt4d ins(%a, %b : memref<3x5x2x2xi16>, memref<4x5x3x2xi16>) outs(%c : memref<3x4x2x3xi32>)
  return
}

func.func @mmt4d_tensor_i32_11(%a: tensor<3x5x2x2xi32>, %b: tensor<4x5x3x2xi32>, %c: tensor<3x4x2x3xi32>) -> tensor<3x4x2x3xi32> {
  %r = linalg.mmt4d ins(%a, %b : tensor<3x5x2x2xi32>, tensor<4x5x3x2xi32>) outs(%c : tensor<3x4x2x3xi32>) -> tensor<3x4x2x3xi32>
  return %r : tensor<3x4x2x3xi32>
}

func.func @batch_mmt4d_memref_f32_11(%a: memref<2x3x5x2x2xf32>, %b: memref<2x4x5x3x2xf32>, %c: memref<2x3x4x2x3xf32>) {
  linalg.batch_mmt4d ins(%a, %b : memref<2x3x5x2x2xf32>, memref<2x4x5x3x2xf32>) outs(%c : memref<2x3x4x2x3xf32>)
  return
}

func.func @batch_mmt4d_memref_i16_11(%a: memref<2x3x5x2x2xi16>, %b: memref<2x4x5x3x2xi16>, %c: memref<2x3x4x2x3xi32>) {
  linalg.batch_mmt4d ins(%a, %b : memref<2x3x5x2x2xi16>, memref<2x4x5x3x2xi16>) outs(%c : memref<2x3x4x2x3xi32>)
  return
}

func.func @batch_mmt4d_tensor_i32_11(%a: tensor<2x3x5x2x2xi32>, %b: tensor<2x4x5x3x2xi32>, %c: tensor<2x3x4x2x3xi32>) -> tensor<2x3x4x2x3xi32> {
  %r = linalg.batch_mmt4d ins(%a, %b : tensor<2x3x5x2x2xi32>, tensor<2x4x5x3x2xi32>) outs(%c : tensor<2x3x4x2x3xi32>) -> tensor<2x3x4x2x3xi32>
  return %r : tensor<2x3x4x2x3xi32>
}

func.func @batch_matmul_memref_f32_11(%a: memref<2x3x5xf32>, %b: memref<2x5x4xf32>, %c: memref<2x3x4xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<2x3x5xf32>, memref<2x5x4xf32>) outs(%c : memref<2x3x4xf32>)
  return
}

func.func @batch_matmul_memref_i16_11(%a: memref<2x3x5xi16>, %b: memref<2x5x4xi16>, %c: memref<2x3x4xi32>) {
  linalg.batch_matmul ins(%a, %b : memref<2x3x5xi16>, memref<2x5x4xi16>) outs(%c : memref<2x3x4xi32>)
  return
}

func.func @batch_matmul_tensor_i32_11(%a: tensor<2x3x5xi32>, %b: tensor<2x5x4xi32>, %c: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x3x5xi32>, tensor<2x5x4xi32>) outs(%c : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}

func.func @batch_matmul_transpose_a_memref_f32_11(%a: memref<2x5x3xf32>, %b: memref<2x5x4xf32>, %c: memref<2x3x4xf32>) {
  linalg.batch_matmul_transpose_a ins(%a, %b : memref<2x5x3xf32>, memref<2x5x4xf32>) outs(%c : memref<2x3x4xf32>)
  return
}

func.func @batch_matmul_transpose_a_memref_i16_11(%a: memref<2x5x3xi16>, %b: memref<2x5x4xi16>, %c: memref<2x3x4xi32>) {
  linalg.batch_matmul_transpose_a ins(%a, %b : memref<2x5x3xi16>, memref<2x5x4xi16>) outs(%c : memref<2x3x4xi32>)
  return
}

func.func @batch_matmul_transpose_a_tensor_i32_11(%a: tensor<2x5x3xi32>, %b: tensor<2x5x4xi32>, %c: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.batch_matmul_transpose_a ins(%a, %b : tensor<2x5x3xi32>, tensor<2x5x4xi32>) outs(%c : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}

func.func @batch_matmul_transpose_b_memref_f32_11(%a: memref<2x3x5xf32>, %b: memref<2x4x5xf32>, %c: memref<2x3x4xf32>) {
  linalg.batch_matmul_transpose_b ins(%a, %b : memref<2x3x5xf32>, memref<2x4x5xf32>) outs(%c : memref<2x3x4xf32>)
  return
}

func.func @batch_matmul_transpose_b_memref_i16_11(%a: memref<2x3x5xi16>, %b: memref<2x4x5xi16>, %c: memref<2x3x4xi32>) {
  linalg.batch_matmul_transpose_b ins(%a, %b : memref<2x3x5xi16>, memref<2x4x5xi16>) outs(%c : memref<2x3x4xi32>)
  return
}

func.func @batch_matmul_transpose_b_tensor_i32_11(%a: tensor<2x3x5xi32>, %b: tensor<2x4x5xi32>, %c: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.batch_matmul_transpose_b ins(%a, %b : tensor<2x3x5xi32>, tensor<2x4x5xi32>) outs(%c : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}

func.func @quantized_batch_matmul_memref_i8_11(%a: memref<2x3x5xi8>, %b: memref<2x5x4xi8>, %c: i32, %d: i32, %e: memref<2x3x4xi32>) {
  linalg.quantized_batch_matmul ins(%a, %b, %c, %d : memref<2x3x5xi8>, memref<2x5x4xi8>, i32, i32) outs(%e : memref<2x3x4xi32>)
  return
}

func.func @quantized_batch_matmul_tensor_i8_11(%a: tensor<2x3x5xi8>, %b: tensor<2x5x4xi8>, %c: i32, %d: i32, %e: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.quantized_batch_matmul ins(%a, %b, %c, %d : tensor<2x3x5xi8>, tensor<2x5x4xi8>, i32, i32) outs(%e : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}

func.func @batch_reduce_matmul_memref_f32_11(%a: memref<2x3x5xf32>, %b: memref<2x5x4xf32>, %c: memref<3x4xf32>) {
  linalg.batch_reduce_matmul ins(%a, %b : memref<2x3x5xf32>, memref<2x5x4xf32>) outs(%c : memref<3x4xf32>)
  return
}

func.func @batch_reduce_matmul_tensor_i32_11(%a: tensor<2x3x5xi32>, %b: tensor<2x5x4xi32>, %c: tensor<3x4xi32>) -> tensor<3x4xi32> {
  %r = linalg.batch_reduce_matmul ins(%a, %b : tensor<2x3x5xi32>, tensor<2x5x4xi32>) outs(%c : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

func.func @matvec_memref_f32_11(%a: memref<3x4xf32>, %b: memref<4xf32>, %c: memref<3xf32>) {
  linalg.matvec ins(%a, %b : memref<3x4xf32>, memref<4xf32>) outs(%c : memref<3xf32>)
  return
}

func.func @matvec_memref_i16_11(%a: memref<3x4xi16>, %b: memref<4xi16>, %c: memref<3xi32>) {
  linalg.matvec ins(%a, %b : memref<3x4xi16>, memref<4xi16>) outs(%c : memref<3xi32>)
  return
}

func.func @matvec_tensor_i32_11(%a: tensor<3x4xi32>, %b: tensor<4xi32>, %c: tensor<3xi32>) -> tensor<3xi32> {
  %r = linalg.matvec ins(%a, %b : tensor<3x4xi32>, tensor<4xi32>) outs(%c : tensor<3xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

func.func @vecmat_memref_f32_11(%a: memref<3xf32>, %b: memref<3x4xf32>, %c: memref<4xf32>) {
  linalg.vecmat ins(%a, %b : memref<3xf32>, memref<3x4xf32>) outs(%c : memref<4xf32>)
  return
}

func.func @vecmat_memref_i16_11(%a: memref<3xi16>, %b: memref<3x4xi16>, %c: memref<4xi32>) {
  linalg.vecmat ins(%a, %b : memref<3xi16>, memref<3x4xi16>) outs(%c : memref<4xi32>)
  return
}

func.func @vecmat_tensor_i32_11(%a: tensor<3xi32>, %b: tensor<3x4xi32>, %c: tensor<4xi32>) -> tensor<4xi32> {
  %r = linalg.vecmat ins(%a, %b : tensor<3xi32>, tensor<3x4xi32>) outs(%c : tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @batch_matvec_memref_f32_11(%a: memref<2x3x5xf32>, %b: memref<2x5xf32>, %c: memref<2x3xf32>) {
  linalg.batch_matvec ins(%a, %b : memref<2x3x5xf32>, memref<2x5xf32>) outs(%c : memref<2x3xf32>)
  return
}

func.func @batch_matvec_memref_i16_11(%a: memref<2x3x5xi16>, %b: memref<2x5xi16>, %c: memref<2x3xi32>) {
  linalg.batch_matvec ins(%a, %b : memref<2x3x5xi16>, memref<2x5xi16>) outs(%c : memref<2x3xi32>)
  return
}

func.func @batch_matvec_tensor_i32_11(%a: tensor<2x3x5xi32>, %b: tensor<2x5xi32>, %c: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = linalg.batch_matvec ins(%a, %b : tensor<2x3x5xi32>, tensor<2x5xi32>) outs(%c : tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}

func.func @batch_vecmat_memref_f32_11(%a: memref<2x5xf32>, %b: memref<2x5x4xf32>, %c: memref<2x4xf32>) {
  linalg.batch_vecmat ins(%a, %b : memref<2x5xf32>, memref<2x5x4xf32>) outs(%c : memref<2x4xf32>)
  return
}

func.func @batch_vecmat_memref_i16_11(%a: memref<2x5xi16>, %b: memref<2x5x4xi16>, %c: memref<2x4xi32>) {
  linalg.batch_vecmat ins(%a, %b : memref<2x5xi16>, memref<2x5x4xi16>) outs(%c : memref<2x4xi32>)
  return
}

func.func @batch_vecmat_tensor_i32_11(%a: tensor<2x5xi32>, %b: tensor<2x5x4xi32>, %c: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %r = linalg.batch_vecmat ins(%a, %b : tensor<2x5xi32>, tensor<2x5x4xi32>) outs(%c : tensor<2x4xi32>) -> tensor<2x4xi32>
  return %r : tensor<2x4xi32>
}

func.func @dot_memref_f32_11(%a: memref<3xf32>, %b: memref<3xf32>, %c: memref<f32>) {
  linalg.dot ins(%a, %b : memref<3xf32>, memref<3xf32>) outs(%c : memref<f32>)
  return
}

func.func @dot_memref_i16_11(%a: memref<3xi16>, %b: memref<3xi16>, %c: memref<i32>) {
  linalg.dot ins(%a, %b : memref<3xi16>, memref<3xi16>) outs(%c : memref<i32>)
  return
}

func.func @dot_tensor_i32_11(%a: tensor<3xi32>, %b: tensor<3xi32>, %c: tensor<i32>) -> tensor<i32> {
  %r = linalg.dot ins(%a, %b : tensor<3xi32>, tensor<3xi32>) outs(%c : tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

func.func @conv_1d_memref_f32_11(%a: memref<6xf32>, %b: memref<3xf32>, %c: memref<4xf32>) {
  linalg.conv_1d ins(%a, %b : memref<6xf32>, memref<3xf32>) outs(%c : memref<4xf32>)
  return
}

func.func @conv_1d_memref_i16_11(%a: memref<6xi16>, %b: memref<3xi16>, %c: memref<4xi32>) {
  linalg.conv_1d ins(%a, %b : memref<6xi16>, memref<3xi16>) outs(%c : memref<4xi32>)
  return
}

func.func @conv_1d_tensor_i32_11(%a: tensor<6xi32>, %b: tensor<3xi32>, %c: tensor<4xi32>) -> tensor<4xi32> {
  %r = linalg.conv_1d ins(%a, %b : tensor<6xi32>, tensor<3xi32>) outs(%c : tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

func.func @conv_2d_memref_f32_11(%a: memref<4x6xf32>, %b: memref<2x3xf32>, %c: memref<3x4xf32>) {
  linalg.conv_2d ins(%a, %b : memref<4x6xf32>, memref<2x3xf32>) outs(%c : memref<3x4xf32>)
  return
}

func.func @conv_2d_memref_i16_11(%a: memref<4x6xi16>, %b: memref<2x3xi16>, %c: memref<3x4xi32>) {
  linalg.conv_2d ins(%a, %b : memref<4x6xi16>, memref<2x3xi16>) outs(%c : memref<3x4xi32>)
  return
}

func.func @conv_2d_tensor_i32_11(%a: tensor<4x6xi32>, %b: tensor<2x3xi32>, %c: tensor<3x4xi32>) -> tensor<3x4xi32> {
  %r = linalg.conv_2d ins(%a, %b : tensor<4x6xi32>, tensor<2x3xi32>) outs(%c : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

func.func @conv_3d_memref_f32_11(%a: memref<3x4x6xf32>, %b: memref<2x2x3xf32>, %c: memref<2x3x4xf32>) {
  linalg.conv_3d ins(%a, %b : memref<3x4x6xf32>, memref<2x2x3xf32>) outs(%c : memref<2x3x4xf32>)
  return
}

func.func @conv_3d_memref_i16_11(%a: memref<3x4x6xi16>, %b: memref<2x2x3xi16>, %c: memref<2x3x4xi32>) {
  linalg.conv_3d ins(%a, %b : memref<3x4x6xi16>, memref<2x2x3xi16>) outs(%c : memref<2x3x4xi32>)
  return
}

func.func @conv_3d_tensor_i32_11(%a: tensor<3x4x6xi32>, %b: tensor<2x2x3xi32>, %c: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.conv_3d ins(%a, %b : tensor<3x4x6xi32>, tensor<2x2x3xi32>) outs(%c : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}

func.func @conv_1d_nwc_wcf_memref_f32_11(%a: memref<2x6x2xf32>, %b: memref<3x2x3xf32>, %c: memref<2x4x3xf32>) {
  linalg.conv_1d_nwc_wcf ins(%a, %b : memref<2x6x2xf32>, memref<3x2x3xf32>) outs(%c : memref<2x4x3xf32>)
  return
}

func.func @conv_1d_nwc_wcf_memref_i16_11(%a: memref<2x6x2xi16>, %b: memref<3x2x3xi16>, %c: memref<2x4x3xi32>) {
  linalg.conv_1d_nwc_wcf ins(%a, %b : memref<2x6x2xi16>, memref<3x2x3xi16>) outs(%c : memref<2x4x3xi32>)
  return
}

func.func @conv_1d_nwc_wcf_tensor_i32_11(%a: tensor<2x6x2xi32>, %b: tensor<3x2x3xi32>, %c: tensor<2x4x3xi32>) -> tensor<2x4x3xi32> {
  %r = linalg.conv_1d_nwc_wcf ins(%a, %b : tensor<2x6x2xi32>, tensor<3x2x3xi32>) outs(%c : tensor<2x4x3xi32>) -> tensor<2x4x3xi32>
  return %r : tensor<2x4x3xi32>
}

func.func @conv_1d_nwc_wcf_memref_f32_21(%a: memref<2x9x2xf32>, %b: memref<3x2x3xf32>, %c: memref<2x4x3xf32>) {
  linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xf32>, memref<3x2x3xf32>) outs(%c : memref<2x4x3xf32>)
  return
}

func.func @conv_1d_nwc_wcf_memref_i16_21(%a: memref<2x9x2xi16>, %b: memref<3x2x3xi16>, %c: memref<2x4x3xi32>) {
  linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xi16>, memref<3x2x3xi16>) outs(%c : memref<2x4x3xi32>)
  return
}

func.func @conv_1d_nwc_wcf_memref_f32_12(%a: memref<2x8x2xf32>, %b: memref<3x2x3xf32>, %c: memref<2x4x3xf32>) {
  linalg.conv_1d_nwc_wcf {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xf32>, memref<3x2x3xf32>) outs(%c : memref<2x4x3xf32>)
  return
}

func.func @conv_1d_nwc_wcf_memref_i16_12(%a: memref<2x8x2xi16>, %b: memref<3x2x3xi16>, %c: memref<2x4x3xi32>) {
  linalg.conv_1d_nwc_wcf {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xi16>, memref<3x2x3xi16>) outs(%c : memref<2x4x3xi32>)
  return
}

func.func @conv_1d_ncw_fcw_memref_f32_11(%a: memref<2x2x6xf32>, %b: memref<3x2x3xf32>, %c: memref<2x3x4xf32>) {
  linalg.conv_1d_ncw_fcw ins(%a, %b : memref<2x2x6xf32>, memref<3x2x3xf32>) outs(%c : memref<2x3x4xf32>)
  return
}

func.func @conv_1d_ncw_fcw_memref_i16_11(%a: memref<2x2x6xi16>, %b: memref<3x2x3xi16>, %c: memref<2x3x4xi32>) {
  linalg.conv_1d_ncw_fcw ins(%a, %b : memref<2x2x6xi16>, memref<3x2x3xi16>) outs(%c : memref<2x3x4xi32>)
  return
}

func.func @conv_1d_ncw_fcw_tensor_i32_11(%a: tensor<2x2x6xi32>, %b: tensor<3x2x3xi32>, %c: tensor<2x3x4xi32>) -> tensor<2x3x4xi32> {
  %r = linalg.conv_1d_ncw_fcw ins(%a, %b : tensor<2x2x6xi32>, tensor<3x2x3xi32>) outs(%c : tensor<2x3x4xi32>) -> tensor<2x3x4xi32>
  return %r : tensor<2x3x4xi32>
}

func.func @conv_1d_ncw_fcw_memref_f32_21(%a: memref<2x2x9xf32>, %b: memref<3x2x3xf32>, %c: memref<2x3x4xf32>) {
  linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x2x9xf32>, memref<3x2x3xf32>) outs(%c : memref<2x3x4xf32>)
  return
}

func.func @conv_1d_ncw_fcw_memref_i16_21(%a: memref<2x2x9xi16>, %b: memref<3x2x3xi16>, %c: memref<2x3x4xi32>) {
  linalg.conv_1d_ncw_fcw {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x2x9xi16>, memref<3x2x3xi16>) outs(%c : memref<2x3x4xi32>)
  return
}

func.func @conv_1d_ncw_fcw_memref_f32_12(%a: memref<2x2x8xf32>, %b: memref<3x2x3xf32>, %c: memref<2x3x4xf32>) {
  linalg.conv_1d_ncw_fcw {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x2x8xf32>, memref<3x2x3xf32>) outs(%c : memref<2x3x4xf32>)
  return
}

func.func @conv_1d_ncw_fcw_memref_i16_12(%a: memref<2x2x8xi16>, %b: memref<3x2x3xi16>, %c: memref<2x3x4xi32>) {
  linalg.conv_1d_ncw_fcw {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x2x8xi16>, memref<3x2x3xi16>) outs(%c : memref<2x3x4xi32>)
  return
}

func.func @conv_2d_nhwc_hwcf_memref_f32_11(%a: memref<2x4x6x2xf32>, %b: memref<2x3x2x3xf32>, %c: memref<2x3x4x3xf32>) {
  linalg.conv_2d_nhwc_hwcf ins(%a, %b : memref<2x4x6x2xf32>, memref<2x3x2x3xf32>) outs(%c : memref<2x3x4x3xf32>)
  return
}

func.func @conv_2d_nhwc_hwcf_memref_i16_11(%a: memref<2x4x6x2xi16>, %b: memref<2x3x2x3xi16>, %c: memref<2x3x4x3xi32>) {
  linalg.conv_2d_nhwc_hwcf ins(%a, %b : memref<2x4x6x2xi16>, memref<2x3x2x3xi16>) outs(%c : memref<2x3x4x3xi32>)
  return
}

func.func @conv_2d_nhwc_hwcf_tensor_i32_11(%a: tensor<2x4x6x2xi32>, %b: tensor<2x3x2x3xi32>, %c: tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<2x4x6x2xi32>, tensor<2x3x2x3xi32>) outs(%c : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  return %r : tensor<2x3x4x3xi32>
}

func.func @conv_2d_nhwc_hwcf_memref_f32_21(%a: memref<2x6x9x2xf32>, %b: memref<2x3x2x3xf32>, %c: memref<2x3x4x3xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xf32>, memref<2x3x2x3xf32>) outs(%c : memref<2x3x4x3xf32>)
  return
}

func.func @conv_2d_nhwc_hwcf_memref_i16_21(%a: memref<2x6x9x2xi16>, %b: memref<2x3x2x3xi16>, %c: memref<2x3x4x3xi32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xi16>, memref<2x3x2x3xi16>) outs(%c : memref<2x3x4x3xi32>)
  return
}

func.func @conv_2d_nhwc_hwcf_memref_f32_12(%a: memref<2x5x8x2xf32>, %b: memref<2x3x2x3xf32>, %c: memref<2x3x4x3xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xf32>, memref<2x3x2x3xf32>) outs(%c : memref<2x3x4x3xf32>)
  return
}

func.func @conv_2d_nhwc_hwcf_memref_i16_12(%a: memref<2x5x8x2xi16>, %b: memref<2x3x2x3xi16>, %c: memref<2x3x4x3xi32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xi16>, memref<2x3x2x3xi16>) outs(%c : memref<2x3x4x3xi32>)
  return
}

func.func @conv_2d_nhwc_fhwc_memref_f32_11(%a: memref<2x4x6x2xf32>, %b: memref<3x2x3x2xf32>, %c: memref<2x3x4x3xf32>) {
  linalg.conv_2d_nhwc_fhwc ins(%a, %b : memref<2x4x6x2xf32>, memref<3x2x3x2xf32>) outs(%c : memref<2x3x4x3xf32>)
  return
}

func.func @conv_2d_nhwc_fhwc_memref_i16_11(%a: memref<2x4x6x2xi16>, %b: memref<3x2x3x2xi16>, %c: memref<2x3x4x3xi32>) {
  linalg.conv_2d_nhwc_fhwc ins(%a, %b : memref<2x4x6x2xi16>, memref<3x2x3x2xi16>) outs(%c : memref<2x3x4x3xi32>)
  return
}

func.func @conv_2d_nhwc_fhwc_tensor_i32_11(%a: tensor<2x4x6x2xi32>, %b: tensor<3x2x3x2xi32>, %c: tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32> {
  %r = linalg.conv_2d_nhwc_fhwc ins(%a, %b : tensor<2x4x6x2xi32>, tensor<3x2x3x2xi32>) outs(%c : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  return %r : tensor<2x3x4x3xi32>
}

func.func @conv_2d_nhwc_fhwc_memref_f32_21(%a: memref<2x6x9x2xf32>, %b: memref<3x2x3x2xf32>, %c: memref<2x3x4x3xf32>) {
  linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xf32>, memref<3x2x3x2xf32>) outs(%c : memref<2x3x4x3xf32>)
  return
}

func.func @conv_2d_nhwc_fhwc_memref_i16_21(%a: memref<2x6x9x2xi16>, %b: memref<3x2x3x2xi16>, %c: memref<2x3x4x3xi32>) {
  linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xi16>, memref<3x2x3x2xi16>) outs(%c : memref<2x3x4x3xi32>)
  return
}

func.func @conv_2d_nhwc_fhwc_memref_f32_12(%a: memref<2x5x8x2xf32>, %b: memref<3x2x3x2xf32>, %c: memref<2x3x4x3xf32>) {
  linalg.conv_2d_nhwc_fhwc {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xf32>, memref<3x2x3x2xf32>) outs(%c : memref<2x3x4x3xf32>)
  return
}

func.func @conv_2d_nhwc_fhwc_memref_i16_12(%a: memref<2x5x8x2xi16>, %b: memref<3x2x3x2xi16>, %c: memref<2x3x4x3xi32>) {
  linalg.conv_2d_nhwc_fhwc {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xi16>, memref<3x2x3x2xi16>) outs(%c : memref<2x3x4x3xi32>)
  return
}

func.func @conv_2d_nhwc_hwcf_q_memref_i8_11(%a: memref<2x4x6x2xi8>, %b: memref<2x3x2x3xi8>, %c: i32, %d: i32, %e: memref<2x3x4x3xi32>) {
  linalg.conv_2d_nhwc_hwcf_q ins(%a, %b, %c, %d : memref<2x4x6x2xi8>, memref<2x3x2x3xi8>, i32, i32) outs(%e : memref<2x3x4x3xi32>)
  return
}

func.func @conv_2d_nhwc_hwcf_q_tensor_i8_11(%a: tensor<2x4x6x2xi8>, %b: tensor<2x3x2x3xi8>, %c: i32, %d: i32, %e: tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32> {
  %r = linalg.conv_2d_nhwc_hwcf_q ins(%a, %b, %c, %d : tensor<2x4x6x2xi8>, tensor<2x3x2x3xi8>, i32, i32) outs(%e : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  return %r : tensor<2x3x4x3xi32>
}

func.func @conv_2d_nhwc_hwcf_q_memref_i8_21(%a: memref<2x6x9x2xi8>, %b: memref<2x3x2x3xi8>, %c: i32, %d: i32, %e: memref<2x3x4x3xi32>) {
  linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b, %c, %d : memref<2x6x9x2xi8>, memref<2x3x2x3xi8>, i32, i32) outs(%e : memref<2x3x4x3xi32>)
  return
}

func.func @conv_2d_nhwc_hwcf_q_memref_i8_12(%a: memref<2x5x8x2xi8>, %b: memref<2x3x2x3xi8>, %c: i32, %d: i32, %e: memref<2x3x4x3xi32>) {
  linalg.conv_2d_nhwc_hwcf_q {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %c, %d : memref<2x5x8x2xi8>, memref<2x3x2x3xi8>, i32, i32) outs(%e : memref<2x3x4x3xi32>)
  return
}

func.func @conv_2d_nhwc_fhwc_q_memref_i8_11(%a: memref<2x4x6x2xi8>, %b: memref<3x2x3x2xi8>, %c: i32, %d: i32, %e: memref<2x3x4x3xi32>) {
  linalg.conv_2d_nhwc_fhwc_q ins(%a, %b, %c, %d : memref<2x4x6x2xi8>, memref<3x2x3x2xi8>, i32, i32) outs(%e : memref<2x3x4x3xi32>)
  return
}

func.func @conv_2d_nhwc_fhwc_q_tensor_i8_11(%a: tensor<2x4x6x2xi8>, %b: tensor<3x2x3x2xi8>, %c: i32, %d: i32, %e: tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32> {
  %r = linalg.conv_2d_nhwc_fhwc_q ins(%a, %b, %c, %d : tensor<2x4x6x2xi8>, tensor<3x2x3x2xi8>, i32, i32) outs(%e : tensor<2x3x4x3xi32>) -> tensor<2x3x4x3xi32>
  return %r : tensor<2x3x4x3xi32>
}

func.func @conv_2d_nhwc_fhwc_q_memref_i8_21(%a: memref<2x6x9x2xi8>, %b: memref<3x2x3x2xi8>, %c: i32, %d: i32, %e: memref<2x3x4x3xi32>) {
  linalg.conv_2d_nhwc_fhwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b, %c, %d : memref<2x6x9x2xi8>, memref<3x2x3x2xi8>, i32, i32) outs(%e : memref<2x3x4x3xi32>)
  return
}

func.func @conv_2d_nhwc_fhwc_q_memref_i8_12(%a: memref<2x5x8x2xi8>, %b: memref<3x2x3x2xi8>, %c: i32, %d: i32, %e: memref<2x3x4x3xi32>) {
  linalg.conv_2d_nhwc_fhwc_q {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %c, %d : memref<2x5x8x2xi8>, memref<3x2x3x2xi8>, i32, i32) outs(%e : memref<2x3x4x3xi32>)
  return
}

func.func @conv_2d_nchw_fchw_memref_f32_11(%a: memref<2x2x4x6xf32>, %b: memref<3x2x2x3xf32>, %c: memref<2x3x3x4xf32>) {
  linalg.conv_2d_nchw_fchw ins(%a, %b : memref<2x2x4x6xf32>, memref<3x2x2x3xf32>) outs(%c : memref<2x3x3x4xf32>)
  return
}

func.func @conv_2d_nchw_fchw_memref_i16_11(%a: memref<2x2x4x6xi16>, %b: memref<3x2x2x3xi16>, %c: memref<2x3x3x4xi32>) {
  linalg.conv_2d_nchw_fchw ins(%a, %b : memref<2x2x4x6xi16>, memref<3x2x2x3xi16>) outs(%c : memref<2x3x3x4xi32>)
  return
}

func.func @conv_2d_nchw_fchw_tensor_i32_11(%a: tensor<2x2x4x6xi32>, %b: tensor<3x2x2x3xi32>, %c: tensor<2x3x3x4xi32>) -> tensor<2x3x3x4xi32> {
  %r = linalg.conv_2d_nchw_fchw ins(%a, %b : tensor<2x2x4x6xi32>, tensor<3x2x2x3xi32>) outs(%c : tensor<2x3x3x4xi32>) -> tensor<2x3x3x4xi32>
  return %r : tensor<2x3x3x4xi32>
}

func.func @conv_2d_nchw_fchw_memref_f32_21(%a: memref<2x2x6x9xf32>, %b: memref<3x2x2x3xf32>, %c: memref<2x3x3x4xf32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x2x6x9xf32>, memref<3x2x2x3xf32>) outs(%c : memref<2x3x3x4xf32>)
  return
}

func.func @conv_2d_nchw_fchw_memref_i16_21(%a: memref<2x2x6x9xi16>, %b: memref<3x2x2x3xi16>, %c: memref<2x3x3x4xi32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x2x6x9xi16>, memref<3x2x2x3xi16>) outs(%c : memref<2x3x3x4xi32>)
  return
}

func.func @conv_2d_nchw_fchw_memref_f32_12(%a: memref<2x2x5x8xf32>, %b: memref<3x2x2x3xf32>, %c: memref<2x3x3x4xf32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x2x5x8xf32>, memref<3x2x2x3xf32>) outs(%c : memref<2x3x3x4xf32>)
  return
}

func.func @conv_2d_nchw_fchw_memref_i16_12(%a: memref<2x2x5x8xi16>, %b: memref<3x2x2x3xi16>, %c: memref<2x3x3x4xi32>) {
  linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x2x5x8xi16>, memref<3x2x2x3xi16>) outs(%c : memref<2x3x3x4xi32>)
  return
}

func.func @conv_2d_ngchw_fgchw_memref_f32_11(%a: memref<2x2x2x4x6xf32>, %b: memref<2x2x2x2x3xf32>, %c: memref<2x2x2x3x4xf32>) {
  linalg.conv_2d_ngchw_fgchw ins(%a, %b : memref<2x2x2x4x6xf32>, memref<2x2x2x2x3xf32>) outs(%c : memref<2x2x2x3x4xf32>)
  return
}

func.func @conv_2d_ngchw_fgchw_memref_i16_11(%a: memref<2x2x2x4x6xi16>, %b: memref<2x2x2x2x3xi16>, %c: memref<2x2x2x3x4xi32>) {
  linalg.conv_2d_ngchw_fgchw ins(%a, %b : memref<2x2x2x4x6xi16>, memref<2x2x2x2x3xi16>) outs(%c : memref<2x2x2x3x4xi32>)
  return
}

func.func @conv_2d_ngchw_fgchw_tensor_i32_11(%a: tensor<2x2x2x4x6xi32>, %b: tensor<2x2x2x2x3xi32>, %c: tensor<2x2x2x3x4xi32>) -> tensor<2x2x2x3x4xi32> {
  %r = linalg.conv_2d_ngchw_fgchw ins(%a, %b : tensor<2x2x2x4x6xi32>, tensor<2x2x2x2x3xi32>) outs(%c : tensor<2x2x2x3x4xi32>) -> tensor<2x2x2x3x4xi32>
  return %r : tensor<2x2x2x3x4xi32>
}

func.func @conv_2d_ngchw_fgchw_memref_f32_21(%a: memref<2x2x2x6x9xf32>, %b: memref<2x2x2x2x3xf32>, %c: memref<2x2x2x3x4xf32>) {
  linalg.conv_2d_ngchw_fgchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x2x2x6x9xf32>, memref<2x2x2x2x3xf32>) outs(%c : memref<2x2x2x3x4xf32>)
  return
}

func.func @conv_2d_ngchw_fgchw_memref_i16_21(%a: memref<2x2x2x6x9xi16>, %b: memref<2x2x2x2x3xi16>, %c: memref<2x2x2x3x4xi32>) {
  linalg.conv_2d_ngchw_fgchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x2x2x6x9xi16>, memref<2x2x2x2x3xi16>) outs(%c : memref<2x2x2x3x4xi32>)
  return
}

func.func @conv_2d_ngchw_fgchw_memref_f32_12(%a: memref<2x2x2x5x8xf32>, %b: memref<2x2x2x2x3xf32>, %c: memref<2x2x2x3x4xf32>) {
  linalg.conv_2d_ngchw_fgchw {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x2x2x5x8xf32>, memref<2x2x2x2x3xf32>) outs(%c : memref<2x2x2x3x4xf32>)
  return
}

func.func @conv_2d_ngchw_fgchw_memref_i16_12(%a: memref<2x2x2x5x8xi16>, %b: memref<2x2x2x2x3xi16>, %c: memref<2x2x2x3x4xi32>) {
  linalg.conv_2d_ngchw_fgchw {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x2x2x5x8xi16>, memref<2x2x2x2x3xi16>) outs(%c : memref<2x2x2x3x4xi32>)
  return
}

func.func @conv_2d_ngchw_gfchw_memref_f32_11(%a: memref<2x2x2x4x6xf32>, %b: memref<2x2x2x2x3xf32>, %c: memref<2x2x2x3x4xf32>) {
  linalg.conv_2d_ngchw_gfchw ins(%a, %b : memref<2x2x2x4x6xf32>, memref<2x2x2x2x3xf32>) outs(%c : memref<2x2x2x3x4xf32>)
  return
}

func.func @conv_2d_ngchw_gfchw_memref_i16_11(%a: memref<2x2x2x4x6xi16>, %b: memref<2x2x2x2x3xi16>, %c: memref<2x2x2x3x4xi32>) {
  linalg.conv_2d_ngchw_gfchw ins(%a, %b : memref<2x2x2x4x6xi16>, memref<2x2x2x2x3xi16>) outs(%c : memref<2x2x2x3x4xi32>)
  return
}

func.func @conv_2d_ngchw_gfchw_tensor_i32_11(%a: tensor<2x2x2x4x6xi32>, %b: tensor<2x2x2x2x3xi32>, %c: tensor<2x2x2x3x4xi32>) -> tensor<2x2x2x3x4xi32> {
  %r = linalg.conv_2d_ngchw_gfchw ins(%a, %b : tensor<2x2x2x4x6xi32>, tensor<2x2x2x2x3xi32>) outs(%c : tensor<2x2x2x3x4xi32>) -> tensor<2x2x2x3x4xi32>
  return %r : tensor<2x2x2x3x4xi32>
}

func.func @conv_2d_ngchw_gfchw_memref_f32_21(%a: memref<2x2x2x6x9xf32>, %b: memref<2x2x2x2x3xf32>, %c: memref<2x2x2x3x4xf32>) {
  linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x2x2x6x9xf32>, memref<2x2x2x2x3xf32>) outs(%c : memref<2x2x2x3x4xf32>)
  return
}

func.func @conv_2d_ngchw_gfchw_memref_i16_21(%a: memref<2x2x2x6x9xi16>, %b: memref<2x2x2x2x3xi16>, %c: memref<2x2x2x3x4xi32>) {
  linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x2x2x6x9xi16>, memref<2x2x2x2x3xi16>) outs(%c : memref<2x2x2x3x4xi32>)
  return
}

func.func @conv_2d_ngchw_gfchw_memref_f32_12(%a: memref<2x2x2x5x8xf32>, %b: memref<2x2x2x2x3xf32>, %c: memref<2x2x2x3x4xf32>) {
  linalg.conv_2d_ngchw_gfchw {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x2x2x5x8xf32>, memref<2x2x2x2x3xf32>) outs(%c : memref<2x2x2x3x4xf32>)
  return
}

func.func @conv_2d_ngchw_gfchw_memref_i16_12(%a: memref<2x2x2x5x8xi16>, %b: memref<2x2x2x2x3xi16>, %c: memref<2x2x2x3x4xi32>) {
  linalg.conv_2d_ngchw_gfchw {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x2x2x5x8xi16>, memref<2x2x2x2x3xi16>) outs(%c : memref<2x2x2x3x4xi32>)
  return
}

func.func @conv_2d_ngchw_gfchw_q_memref_i8_11(%a: memref<2x2x2x4x6xi8>, %b: memref<2x2x2x2x3xi8>, %c: i32, %d: i32, %e: memref<2x2x2x3x4xi32>) {
  linalg.conv_2d_ngchw_gfchw_q ins(%a, %b, %c, %d : memref<2x2x2x4x6xi8>, memref<2x2x2x2x3xi8>, i32, i32) outs(%e : memref<2x2x2x3x4xi32>)
  return
}

func.func @conv_2d_ngchw_gfchw_q_tensor_i8_11(%a: tensor<2x2x2x4x6xi8>, %b: tensor<2x2x2x2x3xi8>, %c: i32, %d: i32, %e: tensor<2x2x2x3x4xi32>) -> tensor<2x2x2x3x4xi32> {
  %r = linalg.conv_2d_ngchw_gfchw_q ins(%a, %b, %c, %d : tensor<2x2x2x4x6xi8>, tensor<2x2x2x2x3xi8>, i32, i32) outs(%e : tensor<2x2x2x3x4xi32>) -> tensor<2x2x2x3x4xi32>
  return %r : tensor<2x2x2x3x4xi32>
}

func.func @conv_2d_ngchw_gfchw_q_memref_i8_21(%a: memref<2x2x2x6x9xi8>, %b: memref<2x2x2x2x3xi8>, %c: i32, %d: i32, %e: memref<2x2x2x3x4xi32>) {
  linalg.conv_2d_ngchw_gfchw_q {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b, %c, %d : memref<2x2x2x6x9xi8>, memref<2x2x2x2x3xi8>, i32, i32) outs(%e : memref<2x2x2x3x4xi32>)
  return
}

func.func @conv_2d_ngchw_gfchw_q_memref_i8_12(%a: memref<2x2x2x5x8xi8>, %b: memref<2x2x2x2x3xi8>, %c: i32, %d: i32, %e: memref<2x2x2x3x4xi32>) {
  linalg.conv_2d_ngchw_gfchw_q {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %c, %d : memref<2x2x2x5x8xi8>, memref<2x2x2x2x3xi8>, i32, i32) outs(%e : memref<2x2x2x3x4xi32>)
  return
}

func.func @conv_3d_ndhwc_dhwcf_memref_f32_11(%a: memref<2x3x4x6x2xf32>, %b: memref<2x2x3x2x3xf32>, %c: memref<2x2x3x4x3xf32>) {
  linalg.conv_3d_ndhwc_dhwcf ins(%a, %b : memref<2x3x4x6x2xf32>, memref<2x2x3x2x3xf32>) outs(%c : memref<2x2x3x4x3xf32>)
  return
}

func.func @conv_3d_ndhwc_dhwcf_memref_i16_11(%a: memref<2x3x4x6x2xi16>, %b: memref<2x2x3x2x3xi16>, %c: memref<2x2x3x4x3xi32>) {
  linalg.conv_3d_ndhwc_dhwcf ins(%a, %b : memref<2x3x4x6x2xi16>, memref<2x2x3x2x3xi16>) outs(%c : memref<2x2x3x4x3xi32>)
  return
}

func.func @conv_3d_ndhwc_dhwcf_tensor_i32_11(%a: tensor<2x3x4x6x2xi32>, %b: tensor<2x2x3x2x3xi32>, %c: tensor<2x2x3x4x3xi32>) -> tensor<2x2x3x4x3xi32> {
  %r = linalg.conv_3d_ndhwc_dhwcf ins(%a, %b : tensor<2x3x4x6x2xi32>, tensor<2x2x3x2x3xi32>) outs(%c : tensor<2x2x3x4x3xi32>) -> tensor<2x2x3x4x3xi32>
  return %r : tensor<2x2x3x4x3xi32>
}

func.func @conv_3d_ndhwc_dhwcf_memref_f32_21(%a: memref<2x4x6x9x2xf32>, %b: memref<2x2x3x2x3xf32>, %c: memref<2x2x3x4x3xf32>) {
  linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x4x6x9x2xf32>, memref<2x2x3x2x3xf32>) outs(%c : memref<2x2x3x4x3xf32>)
  return
}

func.func @conv_3d_ndhwc_dhwcf_memref_i16_21(%a: memref<2x4x6x9x2xi16>, %b: memref<2x2x3x2x3xi16>, %c: memref<2x2x3x4x3xi32>) {
  linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x4x6x9x2xi16>, memref<2x2x3x2x3xi16>) outs(%c : memref<2x2x3x4x3xi32>)
  return
}

func.func @conv_3d_ndhwc_dhwcf_memref_f32_12(%a: memref<2x4x5x8x2xf32>, %b: memref<2x2x3x2x3xf32>, %c: memref<2x2x3x4x3xf32>) {
  linalg.conv_3d_ndhwc_dhwcf {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x4x5x8x2xf32>, memref<2x2x3x2x3xf32>) outs(%c : memref<2x2x3x4x3xf32>)
  return
}

func.func @conv_3d_ndhwc_dhwcf_memref_i16_12(%a: memref<2x4x5x8x2xi16>, %b: memref<2x2x3x2x3xi16>, %c: memref<2x2x3x4x3xi32>) {
  linalg.conv_3d_ndhwc_dhwcf {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x4x5x8x2xi16>, memref<2x2x3x2x3xi16>) outs(%c : memref<2x2x3x4x3xi32>)
  return
}

func.func @conv_3d_ndhwc_dhwcf_q_memref_i8_11(%a: memref<2x3x4x6x2xi8>, %b: memref<2x2x3x2x3xi8>, %c: i32, %d: i32, %e: memref<2x2x3x4x3xi32>) {
  linalg.conv_3d_ndhwc_dhwcf_q ins(%a, %b, %c, %d : memref<2x3x4x6x2xi8>, memref<2x2x3x2x3xi8>, i32, i32) outs(%e : memref<2x2x3x4x3xi32>)
  return
}

func.func @conv_3d_ndhwc_dhwcf_q_tensor_i8_11(%a: tensor<2x3x4x6x2xi8>, %b: tensor<2x2x3x2x3xi8>, %c: i32, %d: i32, %e: tensor<2x2x3x4x3xi32>) -> tensor<2x2x3x4x3xi32> {
  %r = linalg.conv_3d_ndhwc_dhwcf_q ins(%a, %b, %c, %d : tensor<2x3x4x6x2xi8>, tensor<2x2x3x2x3xi8>, i32, i32) outs(%e : tensor<2x2x3x4x3xi32>) -> tensor<2x2x3x4x3xi32>
  return %r : tensor<2x2x3x4x3xi32>
}

func.func @conv_3d_ndhwc_dhwcf_q_memref_i8_21(%a: memref<2x4x6x9x2xi8>, %b: memref<2x2x3x2x3xi8>, %c: i32, %d: i32, %e: memref<2x2x3x4x3xi32>) {
  linalg.conv_3d_ndhwc_dhwcf_q {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b, %c, %d : memref<2x4x6x9x2xi8>, memref<2x2x3x2x3xi8>, i32, i32) outs(%e : memref<2x2x3x4x3xi32>)
  return
}

func.func @conv_3d_ndhwc_dhwcf_q_memref_i8_12(%a: memref<2x4x5x8x2xi8>, %b: memref<2x2x3x2x3xi8>, %c: i32, %d: i32, %e: memref<2x2x3x4x3xi32>) {
  linalg.conv_3d_ndhwc_dhwcf_q {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b, %c, %d : memref<2x4x5x8x2xi8>, memref<2x2x3x2x3xi8>, i32, i32) outs(%e : memref<2x2x3x4x3xi32>)
  return
}

func.func @conv_3d_ncdhw_fcdhw_memref_f32_11(%a: memref<2x2x3x4x6xf32>, %b: memref<3x2x2x2x3xf32>, %c: memref<2x3x2x3x4xf32>) {
  linalg.conv_3d_ncdhw_fcdhw ins(%a, %b : memref<2x2x3x4x6xf32>, memref<3x2x2x2x3xf32>) outs(%c : memref<2x3x2x3x4xf32>)
  return
}

func.func @conv_3d_ncdhw_fcdhw_memref_i16_11(%a: memref<2x2x3x4x6xi16>, %b: memref<3x2x2x2x3xi16>, %c: memref<2x3x2x3x4xi32>) {
  linalg.conv_3d_ncdhw_fcdhw ins(%a, %b : memref<2x2x3x4x6xi16>, memref<3x2x2x2x3xi16>) outs(%c : memref<2x3x2x3x4xi32>)
  return
}

func.func @conv_3d_ncdhw_fcdhw_tensor_i32_11(%a: tensor<2x2x3x4x6xi32>, %b: tensor<3x2x2x2x3xi32>, %c: tensor<2x3x2x3x4xi32>) -> tensor<2x3x2x3x4xi32> {
  %r = linalg.conv_3d_ncdhw_fcdhw ins(%a, %b : tensor<2x2x3x4x6xi32>, tensor<3x2x2x2x3xi32>) outs(%c : tensor<2x3x2x3x4xi32>) -> tensor<2x3x2x3x4xi32>
  return %r : tensor<2x3x2x3x4xi32>
}

func.func @conv_3d_ncdhw_fcdhw_memref_f32_21(%a: memref<2x2x4x6x9xf32>, %b: memref<3x2x2x2x3xf32>, %c: memref<2x3x2x3x4xf32>) {
  linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x2x4x6x9xf32>, memref<3x2x2x2x3xf32>) outs(%c : memref<2x3x2x3x4xf32>)
  return
}

func.func @conv_3d_ncdhw_fcdhw_memref_i16_21(%a: memref<2x2x4x6x9xi16>, %b: memref<3x2x2x2x3xi16>, %c: memref<2x3x2x3x4xi32>) {
  linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x2x4x6x9xi16>, memref<3x2x2x2x3xi16>) outs(%c : memref<2x3x2x3x4xi32>)
  return
}

func.func @conv_3d_ncdhw_fcdhw_memref_f32_12(%a: memref<2x2x4x5x8xf32>, %b: memref<3x2x2x2x3xf32>, %c: memref<2x3x2x3x4xf32>) {
  linalg.conv_3d_ncdhw_fcdhw {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x2x4x5x8xf32>, memref<3x2x2x2x3xf32>) outs(%c : memref<2x3x2x3x4xf32>)
  return
}

func.func @conv_3d_ncdhw_fcdhw_memref_i16_12(%a: memref<2x2x4x5x8xi16>, %b: memref<3x2x2x2x3xi16>, %c: memref<2x3x2x3x4xi32>) {
  linalg.conv_3d_ncdhw_fcdhw {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x2x4x5x8xi16>, memref<3x2x2x2x3xi16>) outs(%c : memref<2x3x2x3x4xi32>)
  return
}

func.func @depthwise_conv_1d_ncw_cw_memref_f32_11(%a: memref<2x2x6xf32>, %b: memref<2x3xf32>, %c: memref<2x2x4xf32>) {
  linalg.depthwise_conv_1d_ncw_cw ins(%a, %b : memref<2x2x6xf32>, memref<2x3xf32>) outs(%c : memref<2x2x4xf32>)
  return
}

func.func @depthwise_conv_1d_ncw_cw_memref_i16_11(%a: memref<2x2x6xi16>, %b: memref<2x3xi16>, %c: memref<2x2x4xi32>) {
  linalg.depthwise_conv_1d_ncw_cw ins(%a, %b : memref<2x2x6xi16>, memref<2x3xi16>) outs(%c : memref<2x2x4xi32>)
  return
}

func.func @depthwise_conv_1d_ncw_cw_tensor_i32_11(%a: tensor<2x2x6xi32>, %b: tensor<2x3xi32>, %c: tensor<2x2x4xi32>) -> tensor<2x2x4xi32> {
  %r = linalg.depthwise_conv_1d_ncw_cw ins(%a, %b : tensor<2x2x6xi32>, tensor<2x3xi32>) outs(%c : tensor<2x2x4xi32>) -> tensor<2x2x4xi32>
  return %r : tensor<2x2x4xi32>
}

func.func @depthwise_conv_1d_ncw_cw_memref_f32_21(%a: memref<2x2x9xf32>, %b: memref<2x3xf32>, %c: memref<2x2x4xf32>) {
  linalg.depthwise_conv_1d_ncw_cw {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x2x9xf32>, memref<2x3xf32>) outs(%c : memref<2x2x4xf32>)
  return
}

func.func @depthwise_conv_1d_ncw_cw_memref_i16_21(%a: memref<2x2x9xi16>, %b: memref<2x3xi16>, %c: memref<2x2x4xi32>) {
  linalg.depthwise_conv_1d_ncw_cw {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x2x9xi16>, memref<2x3xi16>) outs(%c : memref<2x2x4xi32>)
  return
}

func.func @depthwise_conv_1d_ncw_cw_memref_f32_12(%a: memref<2x2x8xf32>, %b: memref<2x3xf32>, %c: memref<2x2x4xf32>) {
  linalg.depthwise_conv_1d_ncw_cw {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x2x8xf32>, memref<2x3xf32>) outs(%c : memref<2x2x4xf32>)
  return
}

func.func @depthwise_conv_1d_ncw_cw_memref_i16_12(%a: memref<2x2x8xi16>, %b: memref<2x3xi16>, %c: memref<2x2x4xi32>) {
  linalg.depthwise_conv_1d_ncw_cw {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x2x8xi16>, memref<2x3xi16>) outs(%c : memref<2x2x4xi32>)
  return
}

func.func @depthwise_conv_1d_nwc_wc_memref_f32_11(%a: memref<2x6x2xf32>, %b: memref<3x2xf32>, %c: memref<2x4x2xf32>) {
  linalg.depthwise_conv_1d_nwc_wc ins(%a, %b : memref<2x6x2xf32>, memref<3x2xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @depthwise_conv_1d_nwc_wc_memref_i16_11(%a: memref<2x6x2xi16>, %b: memref<3x2xi16>, %c: memref<2x4x2xi32>) {
  linalg.depthwise_conv_1d_nwc_wc ins(%a, %b : memref<2x6x2xi16>, memref<3x2xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @depthwise_conv_1d_nwc_wc_tensor_i32_11(%a: tensor<2x6x2xi32>, %b: tensor<3x2xi32>, %c: tensor<2x4x2xi32>) -> tensor<2x4x2xi32> {
  %r = linalg.depthwise_conv_1d_nwc_wc ins(%a, %b : tensor<2x6x2xi32>, tensor<3x2xi32>) outs(%c : tensor<2x4x2xi32>) -> tensor<2x4x2xi32>
  return %r : tensor<2x4x2xi32>
}

func.func @depthwise_conv_1d_nwc_wc_memref_f32_21(%a: memref<2x9x2xf32>, %b: memref<3x2xf32>, %c: memref<2x4x2xf32>) {
  linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xf32>, memref<3x2xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @depthwise_conv_1d_nwc_wc_memref_i16_21(%a: memref<2x9x2xi16>, %b: memref<3x2xi16>, %c: memref<2x4x2xi32>) {
  linalg.depthwise_conv_1d_nwc_wc {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xi16>, memref<3x2xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @depthwise_conv_1d_nwc_wc_memref_f32_12(%a: memref<2x8x2xf32>, %b: memref<3x2xf32>, %c: memref<2x4x2xf32>) {
  linalg.depthwise_conv_1d_nwc_wc {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xf32>, memref<3x2xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @depthwise_conv_1d_nwc_wc_memref_i16_12(%a: memref<2x8x2xi16>, %b: memref<3x2xi16>, %c: memref<2x4x2xi32>) {
  linalg.depthwise_conv_1d_nwc_wc {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xi16>, memref<3x2xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @depthwise_conv_1d_nwc_wcm_memref_f32_11(%a: memref<2x6x2xf32>, %b: memref<3x2x2xf32>, %c: memref<2x4x2x2xf32>) {
  linalg.depthwise_conv_1d_nwc_wcm ins(%a, %b : memref<2x6x2xf32>, memref<3x2x2xf32>) outs(%c : memref<2x4x2x2xf32>)
  return
}

func.func @depthwise_conv_1d_nwc_wcm_memref_i16_11(%a: memref<2x6x2xi16>, %b: memref<3x2x2xi16>, %c: memref<2x4x2x2xi32>) {
  linalg.depthwise_conv_1d_nwc_wcm ins(%a, %b : memref<2x6x2xi16>, memref<3x2x2xi16>) outs(%c : memref<2x4x2x2xi32>)
  return
}

func.func @depthwise_conv_1d_nwc_wcm_tensor_i32_11(%a: tensor<2x6x2xi32>, %b: tensor<3x2x2xi32>, %c: tensor<2x4x2x2xi32>) -> tensor<2x4x2x2xi32> {
  %r = linalg.depthwise_conv_1d_nwc_wcm ins(%a, %b : tensor<2x6x2xi32>, tensor<3x2x2xi32>) outs(%c : tensor<2x4x2x2xi32>) -> tensor<2x4x2x2xi32>
  return %r : tensor<2x4x2x2xi32>
}

func.func @depthwise_conv_1d_nwc_wcm_memref_f32_21(%a: memref<2x9x2xf32>, %b: memref<3x2x2xf32>, %c: memref<2x4x2x2xf32>) {
  linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xf32>, memref<3x2x2xf32>) outs(%c : memref<2x4x2x2xf32>)
  return
}

func.func @depthwise_conv_1d_nwc_wcm_memref_i16_21(%a: memref<2x9x2xi16>, %b: memref<3x2x2xi16>, %c: memref<2x4x2x2xi32>) {
  linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xi16>, memref<3x2x2xi16>) outs(%c : memref<2x4x2x2xi32>)
  return
}

func.func @depthwise_conv_1d_nwc_wcm_memref_f32_12(%a: memref<2x8x2xf32>, %b: memref<3x2x2xf32>, %c: memref<2x4x2x2xf32>) {
  linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xf32>, memref<3x2x2xf32>) outs(%c : memref<2x4x2x2xf32>)
  return
}

func.func @depthwise_conv_1d_nwc_wcm_memref_i16_12(%a: memref<2x8x2xi16>, %b: memref<3x2x2xi16>, %c: memref<2x4x2x2xi32>) {
  linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xi16>, memref<3x2x2xi16>) outs(%c : memref<2x4x2x2xi32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwc_memref_f32_11(%a: memref<2x4x6x2xf32>, %b: memref<2x3x2xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %b : memref<2x4x6x2xf32>, memref<2x3x2xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwc_memref_i16_11(%a: memref<2x4x6x2xi16>, %b: memref<2x3x2xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %b : memref<2x4x6x2xi16>, memref<2x3x2xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwc_tensor_i32_11(%a: tensor<2x4x6x2xi32>, %b: tensor<2x3x2xi32>, %c: tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %b : tensor<2x4x6x2xi32>, tensor<2x3x2xi32>) outs(%c : tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
  return %r : tensor<2x3x4x2xi32>
}

func.func @depthwise_conv_2d_nhwc_hwc_memref_f32_21(%a: memref<2x6x9x2xf32>, %b: memref<2x3x2xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xf32>, memref<2x3x2xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwc_memref_i16_21(%a: memref<2x6x9x2xi16>, %b: memref<2x3x2xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xi16>, memref<2x3x2xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwc_memref_f32_12(%a: memref<2x5x8x2xf32>, %b: memref<2x3x2xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xf32>, memref<2x3x2xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwc_memref_i16_12(%a: memref<2x5x8x2xi16>, %b: memref<2x3x2xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xi16>, memref<2x3x2xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @depthwise_conv_2d_nchw_chw_memref_f32_11(%a: memref<2x2x4x6xf32>, %b: memref<2x2x3xf32>, %c: memref<2x2x3x4xf32>) {
  linalg.depthwise_conv_2d_nchw_chw ins(%a, %b : memref<2x2x4x6xf32>, memref<2x2x3xf32>) outs(%c : memref<2x2x3x4xf32>)
  return
}

func.func @depthwise_conv_2d_nchw_chw_memref_i16_11(%a: memref<2x2x4x6xi16>, %b: memref<2x2x3xi16>, %c: memref<2x2x3x4xi32>) {
  linalg.depthwise_conv_2d_nchw_chw ins(%a, %b : memref<2x2x4x6xi16>, memref<2x2x3xi16>) outs(%c : memref<2x2x3x4xi32>)
  return
}

func.func @depthwise_conv_2d_nchw_chw_tensor_i32_11(%a: tensor<2x2x4x6xi32>, %b: tensor<2x2x3xi32>, %c: tensor<2x2x3x4xi32>) -> tensor<2x2x3x4xi32> {
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%a, %b : tensor<2x2x4x6xi32>, tensor<2x2x3xi32>) outs(%c : tensor<2x2x3x4xi32>) -> tensor<2x2x3x4xi32>
  return %r : tensor<2x2x3x4xi32>
}

func.func @depthwise_conv_2d_nchw_chw_memref_f32_21(%a: memref<2x2x6x9xf32>, %b: memref<2x2x3xf32>, %c: memref<2x2x3x4xf32>) {
  linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x2x6x9xf32>, memref<2x2x3xf32>) outs(%c : memref<2x2x3x4xf32>)
  return
}

func.func @depthwise_conv_2d_nchw_chw_memref_i16_21(%a: memref<2x2x6x9xi16>, %b: memref<2x2x3xi16>, %c: memref<2x2x3x4xi32>) {
  linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x2x6x9xi16>, memref<2x2x3xi16>) outs(%c : memref<2x2x3x4xi32>)
  return
}

func.func @depthwise_conv_2d_nchw_chw_memref_f32_12(%a: memref<2x2x5x8xf32>, %b: memref<2x2x3xf32>, %c: memref<2x2x3x4xf32>) {
  linalg.depthwise_conv_2d_nchw_chw {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x2x5x8xf32>, memref<2x2x3xf32>) outs(%c : memref<2x2x3x4xf32>)
  return
}

func.func @depthwise_conv_2d_nchw_chw_memref_i16_12(%a: memref<2x2x5x8xi16>, %b: memref<2x2x3xi16>, %c: memref<2x2x3x4xi32>) {
  linalg.depthwise_conv_2d_nchw_chw {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x2x5x8xi16>, memref<2x2x3xi16>) outs(%c : memref<2x2x3x4xi32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwc_q_memref_i8_11(%a: memref<2x4x6x2xi8>, %b: memref<2x3x2xi8>, %c: i32, %d: i32, %e: memref<2x3x4x2xi32>) {
  linalg.depthwise_conv_2d_nhwc_hwc_q ins(%a, %b, %c, %d : memref<2x4x6x2xi8>, memref<2x3x2xi8>, i32, i32) outs(%e : memref<2x3x4x2xi32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwc_q_tensor_i8_11(%a: tensor<2x4x6x2xi8>, %b: tensor<2x3x2xi8>, %c: i32, %d: i32, %e: tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc_q ins(%a, %b, %c, %d : tensor<2x4x6x2xi8>, tensor<2x3x2xi8>, i32, i32) outs(%e : tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
  return %r : tensor<2x3x4x2xi32>
}

func.func @depthwise_conv_2d_nhwc_hwc_q_memref_i8_21(%a: memref<2x6x9x2xi8>, %b: memref<2x3x2xi8>, %c: i32, %d: i32, %e: memref<2x3x4x2xi32>) {
  linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b, %c, %d : memref<2x6x9x2xi8>, memref<2x3x2xi8>, i32, i32) outs(%e : memref<2x3x4x2xi32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwc_q_memref_i8_12(%a: memref<2x5x8x2xi8>, %b: memref<2x3x2xi8>, %c: i32, %d: i32, %e: memref<2x3x4x2xi32>) {
  linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %c, %d : memref<2x5x8x2xi8>, memref<2x3x2xi8>, i32, i32) outs(%e : memref<2x3x4x2xi32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwcm_memref_f32_11(%a: memref<2x4x6x2xf32>, %b: memref<2x3x2x2xf32>, %c: memref<2x3x4x2x2xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwcm ins(%a, %b : memref<2x4x6x2xf32>, memref<2x3x2x2xf32>) outs(%c : memref<2x3x4x2x2xf32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwcm_memref_i16_11(%a: memref<2x4x6x2xi16>, %b: memref<2x3x2x2xi16>, %c: memref<2x3x4x2x2xi32>) {
  linalg.depthwise_conv_2d_nhwc_hwcm ins(%a, %b : memref<2x4x6x2xi16>, memref<2x3x2x2xi16>) outs(%c : memref<2x3x4x2x2xi32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwcm_tensor_i32_11(%a: tensor<2x4x6x2xi32>, %b: tensor<2x3x2x2xi32>, %c: tensor<2x3x4x2x2xi32>) -> tensor<2x3x4x2x2xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm ins(%a, %b : tensor<2x4x6x2xi32>, tensor<2x3x2x2xi32>) outs(%c : tensor<2x3x4x2x2xi32>) -> tensor<2x3x4x2x2xi32>
  return %r : tensor<2x3x4x2x2xi32>
}

func.func @depthwise_conv_2d_nhwc_hwcm_memref_f32_21(%a: memref<2x6x9x2xf32>, %b: memref<2x3x2x2xf32>, %c: memref<2x3x4x2x2xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xf32>, memref<2x3x2x2xf32>) outs(%c : memref<2x3x4x2x2xf32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwcm_memref_i16_21(%a: memref<2x6x9x2xi16>, %b: memref<2x3x2x2xi16>, %c: memref<2x3x4x2x2xi32>) {
  linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xi16>, memref<2x3x2x2xi16>) outs(%c : memref<2x3x4x2x2xi32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwcm_memref_f32_12(%a: memref<2x5x8x2xf32>, %b: memref<2x3x2x2xf32>, %c: memref<2x3x4x2x2xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xf32>, memref<2x3x2x2xf32>) outs(%c : memref<2x3x4x2x2xf32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwcm_memref_i16_12(%a: memref<2x5x8x2xi16>, %b: memref<2x3x2x2xi16>, %c: memref<2x3x4x2x2xi32>) {
  linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xi16>, memref<2x3x2x2xi16>) outs(%c : memref<2x3x4x2x2xi32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwcm_q_memref_i8_11(%a: memref<2x4x6x2xi8>, %b: memref<2x3x2x2xi8>, %c: i32, %d: i32, %e: memref<2x3x4x2x2xi32>) {
  linalg.depthwise_conv_2d_nhwc_hwcm_q ins(%a, %b, %c, %d : memref<2x4x6x2xi8>, memref<2x3x2x2xi8>, i32, i32) outs(%e : memref<2x3x4x2x2xi32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwcm_q_tensor_i8_11(%a: tensor<2x4x6x2xi8>, %b: tensor<2x3x2x2xi8>, %c: i32, %d: i32, %e: tensor<2x3x4x2x2xi32>) -> tensor<2x3x4x2x2xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm_q ins(%a, %b, %c, %d : tensor<2x4x6x2xi8>, tensor<2x3x2x2xi8>, i32, i32) outs(%e : tensor<2x3x4x2x2xi32>) -> tensor<2x3x4x2x2xi32>
  return %r : tensor<2x3x4x2x2xi32>
}

func.func @depthwise_conv_2d_nhwc_hwcm_q_memref_i8_21(%a: memref<2x6x9x2xi8>, %b: memref<2x3x2x2xi8>, %c: i32, %d: i32, %e: memref<2x3x4x2x2xi32>) {
  linalg.depthwise_conv_2d_nhwc_hwcm_q {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b, %c, %d : memref<2x6x9x2xi8>, memref<2x3x2x2xi8>, i32, i32) outs(%e : memref<2x3x4x2x2xi32>)
  return
}

func.func @depthwise_conv_2d_nhwc_hwcm_q_memref_i8_12(%a: memref<2x5x8x2xi8>, %b: memref<2x3x2x2xi8>, %c: i32, %d: i32, %e: memref<2x3x4x2x2xi32>) {
  linalg.depthwise_conv_2d_nhwc_hwcm_q {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b, %c, %d : memref<2x5x8x2xi8>, memref<2x3x2x2xi8>, i32, i32) outs(%e : memref<2x3x4x2x2xi32>)
  return
}

func.func @depthwise_conv_3d_ndhwc_dhwc_memref_f32_11(%a: memref<2x3x4x6x2xf32>, %b: memref<2x2x3x2xf32>, %c: memref<2x2x3x4x2xf32>) {
  linalg.depthwise_conv_3d_ndhwc_dhwc ins(%a, %b : memref<2x3x4x6x2xf32>, memref<2x2x3x2xf32>) outs(%c : memref<2x2x3x4x2xf32>)
  return
}

func.func @depthwise_conv_3d_ndhwc_dhwc_memref_i16_11(%a: memref<2x3x4x6x2xi16>, %b: memref<2x2x3x2xi16>, %c: memref<2x2x3x4x2xi32>) {
  linalg.depthwise_conv_3d_ndhwc_dhwc ins(%a, %b : memref<2x3x4x6x2xi16>, memref<2x2x3x2xi16>) outs(%c : memref<2x2x3x4x2xi32>)
  return
}

func.func @depthwise_conv_3d_ndhwc_dhwc_tensor_i32_11(%a: tensor<2x3x4x6x2xi32>, %b: tensor<2x2x3x2xi32>, %c: tensor<2x2x3x4x2xi32>) -> tensor<2x2x3x4x2xi32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwc ins(%a, %b : tensor<2x3x4x6x2xi32>, tensor<2x2x3x2xi32>) outs(%c : tensor<2x2x3x4x2xi32>) -> tensor<2x2x3x4x2xi32>
  return %r : tensor<2x2x3x4x2xi32>
}

func.func @depthwise_conv_3d_ndhwc_dhwc_memref_f32_21(%a: memref<2x4x6x9x2xf32>, %b: memref<2x2x3x2xf32>, %c: memref<2x2x3x4x2xf32>) {
  linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x4x6x9x2xf32>, memref<2x2x3x2xf32>) outs(%c : memref<2x2x3x4x2xf32>)
  return
}

func.func @depthwise_conv_3d_ndhwc_dhwc_memref_i16_21(%a: memref<2x4x6x9x2xi16>, %b: memref<2x2x3x2xi16>, %c: memref<2x2x3x4x2xi32>) {
  linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x4x6x9x2xi16>, memref<2x2x3x2xi16>) outs(%c : memref<2x2x3x4x2xi32>)
  return
}

func.func @depthwise_conv_3d_ndhwc_dhwc_memref_f32_12(%a: memref<2x4x5x8x2xf32>, %b: memref<2x2x3x2xf32>, %c: memref<2x2x3x4x2xf32>) {
  linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x4x5x8x2xf32>, memref<2x2x3x2xf32>) outs(%c : memref<2x2x3x4x2xf32>)
  return
}

func.func @depthwise_conv_3d_ndhwc_dhwc_memref_i16_12(%a: memref<2x4x5x8x2xi16>, %b: memref<2x2x3x2xi16>, %c: memref<2x2x3x4x2xi32>) {
  linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x4x5x8x2xi16>, memref<2x2x3x2xi16>) outs(%c : memref<2x2x3x4x2xi32>)
  return
}

func.func @depthwise_conv_3d_ncdhw_cdhw_memref_f32_11(%a: memref<2x2x3x4x6xf32>, %b: memref<2x2x2x3xf32>, %c: memref<2x2x2x3x4xf32>) {
  linalg.depthwise_conv_3d_ncdhw_cdhw ins(%a, %b : memref<2x2x3x4x6xf32>, memref<2x2x2x3xf32>) outs(%c : memref<2x2x2x3x4xf32>)
  return
}

func.func @depthwise_conv_3d_ncdhw_cdhw_memref_i16_11(%a: memref<2x2x3x4x6xi16>, %b: memref<2x2x2x3xi16>, %c: memref<2x2x2x3x4xi32>) {
  linalg.depthwise_conv_3d_ncdhw_cdhw ins(%a, %b : memref<2x2x3x4x6xi16>, memref<2x2x2x3xi16>) outs(%c : memref<2x2x2x3x4xi32>)
  return
}

func.func @depthwise_conv_3d_ncdhw_cdhw_tensor_i32_11(%a: tensor<2x2x3x4x6xi32>, %b: tensor<2x2x2x3xi32>, %c: tensor<2x2x2x3x4xi32>) -> tensor<2x2x2x3x4xi32> {
  %r = linalg.depthwise_conv_3d_ncdhw_cdhw ins(%a, %b : tensor<2x2x3x4x6xi32>, tensor<2x2x2x3xi32>) outs(%c : tensor<2x2x2x3x4xi32>) -> tensor<2x2x2x3x4xi32>
  return %r : tensor<2x2x2x3x4xi32>
}

func.func @depthwise_conv_3d_ncdhw_cdhw_memref_f32_21(%a: memref<2x2x4x6x9xf32>, %b: memref<2x2x2x3xf32>, %c: memref<2x2x2x3x4xf32>) {
  linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x2x4x6x9xf32>, memref<2x2x2x3xf32>) outs(%c : memref<2x2x2x3x4xf32>)
  return
}

func.func @depthwise_conv_3d_ncdhw_cdhw_memref_i16_21(%a: memref<2x2x4x6x9xi16>, %b: memref<2x2x2x3xi16>, %c: memref<2x2x2x3x4xi32>) {
  linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x2x4x6x9xi16>, memref<2x2x2x3xi16>) outs(%c : memref<2x2x2x3x4xi32>)
  return
}

func.func @depthwise_conv_3d_ncdhw_cdhw_memref_f32_12(%a: memref<2x2x4x5x8xf32>, %b: memref<2x2x2x3xf32>, %c: memref<2x2x2x3x4xf32>) {
  linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x2x4x5x8xf32>, memref<2x2x2x3xf32>) outs(%c : memref<2x2x2x3x4xf32>)
  return
}

func.func @depthwise_conv_3d_ncdhw_cdhw_memref_i16_12(%a: memref<2x2x4x5x8xi16>, %b: memref<2x2x2x3xi16>, %c: memref<2x2x2x3x4xi32>) {
  linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x2x4x5x8xi16>, memref<2x2x2x3xi16>) outs(%c : memref<2x2x2x3x4xi32>)
  return
}

func.func @depthwise_conv_3d_ndhwc_dhwcm_memref_f32_11(%a: memref<2x3x4x6x2xf32>, %b: memref<2x2x3x2x2xf32>, %c: memref<2x2x3x4x2x2xf32>) {
  linalg.depthwise_conv_3d_ndhwc_dhwcm ins(%a, %b : memref<2x3x4x6x2xf32>, memref<2x2x3x2x2xf32>) outs(%c : memref<2x2x3x4x2x2xf32>)
  return
}

func.func @depthwise_conv_3d_ndhwc_dhwcm_memref_i16_11(%a: memref<2x3x4x6x2xi16>, %b: memref<2x2x3x2x2xi16>, %c: memref<2x2x3x4x2x2xi32>) {
  linalg.depthwise_conv_3d_ndhwc_dhwcm ins(%a, %b : memref<2x3x4x6x2xi16>, memref<2x2x3x2x2xi16>) outs(%c : memref<2x2x3x4x2x2xi32>)
  return
}

func.func @depthwise_conv_3d_ndhwc_dhwcm_tensor_i32_11(%a: tensor<2x3x4x6x2xi32>, %b: tensor<2x2x3x2x2xi32>, %c: tensor<2x2x3x4x2x2xi32>) -> tensor<2x2x3x4x2x2xi32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwcm ins(%a, %b : tensor<2x3x4x6x2xi32>, tensor<2x2x3x2x2xi32>) outs(%c : tensor<2x2x3x4x2x2xi32>) -> tensor<2x2x3x4x2x2xi32>
  return %r : tensor<2x2x3x4x2x2xi32>
}

func.func @depthwise_conv_3d_ndhwc_dhwcm_memref_f32_21(%a: memref<2x4x6x9x2xf32>, %b: memref<2x2x3x2x2xf32>, %c: memref<2x2x3x4x2x2xf32>) {
  linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x4x6x9x2xf32>, memref<2x2x3x2x2xf32>) outs(%c : memref<2x2x3x4x2x2xf32>)
  return
}

func.func @depthwise_conv_3d_ndhwc_dhwcm_memref_i16_21(%a: memref<2x4x6x9x2xi16>, %b: memref<2x2x3x2x2xi16>, %c: memref<2x2x3x4x2x2xi32>) {
  linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x4x6x9x2xi16>, memref<2x2x3x2x2xi16>) outs(%c : memref<2x2x3x4x2x2xi32>)
  return
}

func.func @depthwise_conv_3d_ndhwc_dhwcm_memref_f32_12(%a: memref<2x4x5x8x2xf32>, %b: memref<2x2x3x2x2xf32>, %c: memref<2x2x3x4x2x2xf32>) {
  linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x4x5x8x2xf32>, memref<2x2x3x2x2xf32>) outs(%c : memref<2x2x3x4x2x2xf32>)
  return
}

func.func @depthwise_conv_3d_ndhwc_dhwcm_memref_i16_12(%a: memref<2x4x5x8x2xi16>, %b: memref<2x2x3x2x2xi16>, %c: memref<2x2x3x4x2x2xi32>) {
  linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x4x5x8x2xi16>, memref<2x2x3x2x2xi16>) outs(%c : memref<2x2x3x4x2x2xi32>)
  return
}

func.func @pooling_nhwc_sum_memref_f32_11(%a: memref<2x4x6x2xf32>, %b: memref<2x3xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.pooling_nhwc_sum ins(%a, %b : memref<2x4x6x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @pooling_nhwc_sum_memref_i16_11(%a: memref<2x4x6x2xi16>, %b: memref<2x3xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.pooling_nhwc_sum ins(%a, %b : memref<2x4x6x2xi16>, memref<2x3xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @pooling_nhwc_sum_tensor_i32_11(%a: tensor<2x4x6x2xi32>, %b: tensor<2x3xi32>, %c: tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32> {
  %r = linalg.pooling_nhwc_sum ins(%a, %b : tensor<2x4x6x2xi32>, tensor<2x3xi32>) outs(%c : tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
  return %r : tensor<2x3x4x2xi32>
}

func.func @pooling_nhwc_sum_memref_f32_21(%a: memref<2x6x9x2xf32>, %b: memref<2x3xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @pooling_nhwc_sum_memref_i16_21(%a: memref<2x6x9x2xi16>, %b: memref<2x3xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xi16>, memref<2x3xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @pooling_nhwc_sum_memref_f32_12(%a: memref<2x5x8x2xf32>, %b: memref<2x3xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.pooling_nhwc_sum {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @pooling_nhwc_sum_memref_i16_12(%a: memref<2x5x8x2xi16>, %b: memref<2x3xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.pooling_nhwc_sum {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xi16>, memref<2x3xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @pooling_nhwc_max_memref_f32_11(%a: memref<2x4x6x2xf32>, %b: memref<2x3xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.pooling_nhwc_max ins(%a, %b : memref<2x4x6x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @pooling_nhwc_max_memref_i16_11(%a: memref<2x4x6x2xi16>, %b: memref<2x3xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.pooling_nhwc_max ins(%a, %b : memref<2x4x6x2xi16>, memref<2x3xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @pooling_nhwc_max_tensor_i32_11(%a: tensor<2x4x6x2xi32>, %b: tensor<2x3xi32>, %c: tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32> {
  %r = linalg.pooling_nhwc_max ins(%a, %b : tensor<2x4x6x2xi32>, tensor<2x3xi32>) outs(%c : tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
  return %r : tensor<2x3x4x2xi32>
}

func.func @pooling_nhwc_max_memref_f32_21(%a: memref<2x6x9x2xf32>, %b: memref<2x3xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @pooling_nhwc_max_memref_i16_21(%a: memref<2x6x9x2xi16>, %b: memref<2x3xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xi16>, memref<2x3xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @pooling_nhwc_max_memref_f32_12(%a: memref<2x5x8x2xf32>, %b: memref<2x3xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.pooling_nhwc_max {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @pooling_nhwc_max_memref_i16_12(%a: memref<2x5x8x2xi16>, %b: memref<2x3xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.pooling_nhwc_max {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xi16>, memref<2x3xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @pooling_nhwc_max_unsigned_memref_f32_11(%a: memref<2x4x6x2xf32>, %b: memref<2x3xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.pooling_nhwc_max_unsigned ins(%a, %b : memref<2x4x6x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @pooling_nhwc_max_unsigned_memref_i16_11(%a: memref<2x4x6x2xi16>, %b: memref<2x3xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.pooling_nhwc_max_unsigned ins(%a, %b : memref<2x4x6x2xi16>, memref<2x3xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @pooling_nhwc_max_unsigned_tensor_i32_11(%a: tensor<2x4x6x2xi32>, %b: tensor<2x3xi32>, %c: tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32> {
  %r = linalg.pooling_nhwc_max_unsigned ins(%a, %b : tensor<2x4x6x2xi32>, tensor<2x3xi32>) outs(%c : tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
  return %r : tensor<2x3x4x2xi32>
}

func.func @pooling_nhwc_max_unsigned_memref_f32_21(%a: memref<2x6x9x2xf32>, %b: memref<2x3xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.pooling_nhwc_max_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @pooling_nhwc_max_unsigned_memref_i16_21(%a: memref<2x6x9x2xi16>, %b: memref<2x3xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.pooling_nhwc_max_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xi16>, memref<2x3xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @pooling_nhwc_max_unsigned_memref_f32_12(%a: memref<2x5x8x2xf32>, %b: memref<2x3xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.pooling_nhwc_max_unsigned {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @pooling_nhwc_max_unsigned_memref_i16_12(%a: memref<2x5x8x2xi16>, %b: memref<2x3xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.pooling_nhwc_max_unsigned {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xi16>, memref<2x3xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @pooling_nhwc_min_memref_f32_11(%a: memref<2x4x6x2xf32>, %b: memref<2x3xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.pooling_nhwc_min ins(%a, %b : memref<2x4x6x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @pooling_nhwc_min_memref_i16_11(%a: memref<2x4x6x2xi16>, %b: memref<2x3xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.pooling_nhwc_min ins(%a, %b : memref<2x4x6x2xi16>, memref<2x3xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @pooling_nhwc_min_tensor_i32_11(%a: tensor<2x4x6x2xi32>, %b: tensor<2x3xi32>, %c: tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32> {
  %r = linalg.pooling_nhwc_min ins(%a, %b : tensor<2x4x6x2xi32>, tensor<2x3xi32>) outs(%c : tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
  return %r : tensor<2x3x4x2xi32>
}

func.func @pooling_nhwc_min_memref_f32_21(%a: memref<2x6x9x2xf32>, %b: memref<2x3xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.pooling_nhwc_min {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @pooling_nhwc_min_memref_i16_21(%a: memref<2x6x9x2xi16>, %b: memref<2x3xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.pooling_nhwc_min {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xi16>, memref<2x3xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @pooling_nhwc_min_memref_f32_12(%a: memref<2x5x8x2xf32>, %b: memref<2x3xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.pooling_nhwc_min {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @pooling_nhwc_min_memref_i16_12(%a: memref<2x5x8x2xi16>, %b: memref<2x3xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.pooling_nhwc_min {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xi16>, memref<2x3xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @pooling_nhwc_min_unsigned_memref_f32_11(%a: memref<2x4x6x2xf32>, %b: memref<2x3xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.pooling_nhwc_min_unsigned ins(%a, %b : memref<2x4x6x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @pooling_nhwc_min_unsigned_memref_i16_11(%a: memref<2x4x6x2xi16>, %b: memref<2x3xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.pooling_nhwc_min_unsigned ins(%a, %b : memref<2x4x6x2xi16>, memref<2x3xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @pooling_nhwc_min_unsigned_tensor_i32_11(%a: tensor<2x4x6x2xi32>, %b: tensor<2x3xi32>, %c: tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32> {
  %r = linalg.pooling_nhwc_min_unsigned ins(%a, %b : tensor<2x4x6x2xi32>, tensor<2x3xi32>) outs(%c : tensor<2x3x4x2xi32>) -> tensor<2x3x4x2xi32>
  return %r : tensor<2x3x4x2xi32>
}

func.func @pooling_nhwc_min_unsigned_memref_f32_21(%a: memref<2x6x9x2xf32>, %b: memref<2x3xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.pooling_nhwc_min_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @pooling_nhwc_min_unsigned_memref_i16_21(%a: memref<2x6x9x2xi16>, %b: memref<2x3xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.pooling_nhwc_min_unsigned {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x6x9x2xi16>, memref<2x3xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @pooling_nhwc_min_unsigned_memref_f32_12(%a: memref<2x5x8x2xf32>, %b: memref<2x3xf32>, %c: memref<2x3x4x2xf32>) {
  linalg.pooling_nhwc_min_unsigned {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xf32>, memref<2x3xf32>) outs(%c : memref<2x3x4x2xf32>)
  return
}

func.func @pooling_nhwc_min_unsigned_memref_i16_12(%a: memref<2x5x8x2xi16>, %b: memref<2x3xi16>, %c: memref<2x3x4x2xi32>) {
  linalg.pooling_nhwc_min_unsigned {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x5x8x2xi16>, memref<2x3xi16>) outs(%c : memref<2x3x4x2xi32>)
  return
}

func.func @pooling_nchw_sum_memref_f32_11(%a: memref<2x2x4x6xf32>, %b: memref<2x3xf32>, %c: memref<2x2x3x4xf32>) {
  linalg.pooling_nchw_sum ins(%a, %b : memref<2x2x4x6xf32>, memref<2x3xf32>) outs(%c : memref<2x2x3x4xf32>)
  return
}

func.func @pooling_nchw_sum_memref_i16_11(%a: memref<2x2x4x6xi16>, %b: memref<2x3xi16>, %c: memref<2x2x3x4xi32>) {
  linalg.pooling_nchw_sum ins(%a, %b : memref<2x2x4x6xi16>, memref<2x3xi16>) outs(%c : memref<2x2x3x4xi32>)
  return
}

func.func @pooling_nchw_sum_tensor_i32_11(%a: tensor<2x2x4x6xi32>, %b: tensor<2x3xi32>, %c: tensor<2x2x3x4xi32>) -> tensor<2x2x3x4xi32> {
  %r = linalg.pooling_nchw_sum ins(%a, %b : tensor<2x2x4x6xi32>, tensor<2x3xi32>) outs(%c : tensor<2x2x3x4xi32>) -> tensor<2x2x3x4xi32>
  return %r : tensor<2x2x3x4xi32>
}

func.func @pooling_nchw_sum_memref_f32_21(%a: memref<2x2x6x9xf32>, %b: memref<2x3xf32>, %c: memref<2x2x3x4xf32>) {
  linalg.pooling_nchw_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x2x6x9xf32>, memref<2x3xf32>) outs(%c : memref<2x2x3x4xf32>)
  return
}

func.func @pooling_nchw_sum_memref_i16_21(%a: memref<2x2x6x9xi16>, %b: memref<2x3xi16>, %c: memref<2x2x3x4xi32>) {
  linalg.pooling_nchw_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x2x6x9xi16>, memref<2x3xi16>) outs(%c : memref<2x2x3x4xi32>)
  return
}

func.func @pooling_nchw_sum_memref_f32_12(%a: memref<2x2x5x8xf32>, %b: memref<2x3xf32>, %c: memref<2x2x3x4xf32>) {
  linalg.pooling_nchw_sum {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x2x5x8xf32>, memref<2x3xf32>) outs(%c : memref<2x2x3x4xf32>)
  return
}

func.func @pooling_nchw_sum_memref_i16_12(%a: memref<2x2x5x8xi16>, %b: memref<2x3xi16>, %c: memref<2x2x3x4xi32>) {
  linalg.pooling_nchw_sum {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x2x5x8xi16>, memref<2x3xi16>) outs(%c : memref<2x2x3x4xi32>)
  return
}

func.func @pooling_nchw_max_memref_f32_11(%a: memref<2x2x4x6xf32>, %b: memref<2x3xf32>, %c: memref<2x2x3x4xf32>) {
  linalg.pooling_nchw_max ins(%a, %b : memref<2x2x4x6xf32>, memref<2x3xf32>) outs(%c : memref<2x2x3x4xf32>)
  return
}

func.func @pooling_nchw_max_memref_i16_11(%a: memref<2x2x4x6xi16>, %b: memref<2x3xi16>, %c: memref<2x2x3x4xi32>) {
  linalg.pooling_nchw_max ins(%a, %b : memref<2x2x4x6xi16>, memref<2x3xi16>) outs(%c : memref<2x2x3x4xi32>)
  return
}

func.func @pooling_nchw_max_tensor_i32_11(%a: tensor<2x2x4x6xi32>, %b: tensor<2x3xi32>, %c: tensor<2x2x3x4xi32>) -> tensor<2x2x3x4xi32> {
  %r = linalg.pooling_nchw_max ins(%a, %b : tensor<2x2x4x6xi32>, tensor<2x3xi32>) outs(%c : tensor<2x2x3x4xi32>) -> tensor<2x2x3x4xi32>
  return %r : tensor<2x2x3x4xi32>
}

func.func @pooling_nchw_max_memref_f32_21(%a: memref<2x2x6x9xf32>, %b: memref<2x3xf32>, %c: memref<2x2x3x4xf32>) {
  linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x2x6x9xf32>, memref<2x3xf32>) outs(%c : memref<2x2x3x4xf32>)
  return
}

func.func @pooling_nchw_max_memref_i16_21(%a: memref<2x2x6x9xi16>, %b: memref<2x3xi16>, %c: memref<2x2x3x4xi32>) {
  linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%a, %b : memref<2x2x6x9xi16>, memref<2x3xi16>) outs(%c : memref<2x2x3x4xi32>)
  return
}

func.func @pooling_nchw_max_memref_f32_12(%a: memref<2x2x5x8xf32>, %b: memref<2x3xf32>, %c: memref<2x2x3x4xf32>) {
  linalg.pooling_nchw_max {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x2x5x8xf32>, memref<2x3xf32>) outs(%c : memref<2x2x3x4xf32>)
  return
}

func.func @pooling_nchw_max_memref_i16_12(%a: memref<2x2x5x8xi16>, %b: memref<2x3xi16>, %c: memref<2x2x3x4xi32>) {
  linalg.pooling_nchw_max {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %b : memref<2x2x5x8xi16>, memref<2x3xi16>) outs(%c : memref<2x2x3x4xi32>)
  return
}

func.func @pooling_nwc_sum_memref_f32_11(%a: memref<2x6x2xf32>, %b: memref<3xf32>, %c: memref<2x4x2xf32>) {
  linalg.pooling_nwc_sum ins(%a, %b : memref<2x6x2xf32>, memref<3xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @pooling_nwc_sum_memref_i16_11(%a: memref<2x6x2xi16>, %b: memref<3xi16>, %c: memref<2x4x2xi32>) {
  linalg.pooling_nwc_sum ins(%a, %b : memref<2x6x2xi16>, memref<3xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @pooling_nwc_sum_tensor_i32_11(%a: tensor<2x6x2xi32>, %b: tensor<3xi32>, %c: tensor<2x4x2xi32>) -> tensor<2x4x2xi32> {
  %r = linalg.pooling_nwc_sum ins(%a, %b : tensor<2x6x2xi32>, tensor<3xi32>) outs(%c : tensor<2x4x2xi32>) -> tensor<2x4x2xi32>
  return %r : tensor<2x4x2xi32>
}

func.func @pooling_nwc_sum_memref_f32_21(%a: memref<2x9x2xf32>, %b: memref<3xf32>, %c: memref<2x4x2xf32>) {
  linalg.pooling_nwc_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xf32>, memref<3xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @pooling_nwc_sum_memref_i16_21(%a: memref<2x9x2xi16>, %b: memref<3xi16>, %c: memref<2x4x2xi32>) {
  linalg.pooling_nwc_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xi16>, memref<3xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @pooling_nwc_sum_memref_f32_12(%a: memref<2x8x2xf32>, %b: memref<3xf32>, %c: memref<2x4x2xf32>) {
  linalg.pooling_nwc_sum {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xf32>, memref<3xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @pooling_nwc_sum_memref_i16_12(%a: memref<2x8x2xi16>, %b: memref<3xi16>, %c: memref<2x4x2xi32>) {
  linalg.pooling_nwc_sum {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xi16>, memref<3xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @pooling_nwc_max_memref_f32_11(%a: memref<2x6x2xf32>, %b: memref<3xf32>, %c: memref<2x4x2xf32>) {
  linalg.pooling_nwc_max ins(%a, %b : memref<2x6x2xf32>, memref<3xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @pooling_nwc_max_memref_i16_11(%a: memref<2x6x2xi16>, %b: memref<3xi16>, %c: memref<2x4x2xi32>) {
  linalg.pooling_nwc_max ins(%a, %b : memref<2x6x2xi16>, memref<3xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @pooling_nwc_max_tensor_i32_11(%a: tensor<2x6x2xi32>, %b: tensor<3xi32>, %c: tensor<2x4x2xi32>) -> tensor<2x4x2xi32> {
  %r = linalg.pooling_nwc_max ins(%a, %b : tensor<2x6x2xi32>, tensor<3xi32>) outs(%c : tensor<2x4x2xi32>) -> tensor<2x4x2xi32>
  return %r : tensor<2x4x2xi32>
}

func.func @pooling_nwc_max_memref_f32_21(%a: memref<2x9x2xf32>, %b: memref<3xf32>, %c: memref<2x4x2xf32>) {
  linalg.pooling_nwc_max {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xf32>, memref<3xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @pooling_nwc_max_memref_i16_21(%a: memref<2x9x2xi16>, %b: memref<3xi16>, %c: memref<2x4x2xi32>) {
  linalg.pooling_nwc_max {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xi16>, memref<3xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @pooling_nwc_max_memref_f32_12(%a: memref<2x8x2xf32>, %b: memref<3xf32>, %c: memref<2x4x2xf32>) {
  linalg.pooling_nwc_max {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xf32>, memref<3xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @pooling_nwc_max_memref_i16_12(%a: memref<2x8x2xi16>, %b: memref<3xi16>, %c: memref<2x4x2xi32>) {
  linalg.pooling_nwc_max {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xi16>, memref<3xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @pooling_nwc_max_unsigned_memref_f32_11(%a: memref<2x6x2xf32>, %b: memref<3xf32>, %c: memref<2x4x2xf32>) {
  linalg.pooling_nwc_max_unsigned ins(%a, %b : memref<2x6x2xf32>, memref<3xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @pooling_nwc_max_unsigned_memref_i16_11(%a: memref<2x6x2xi16>, %b: memref<3xi16>, %c: memref<2x4x2xi32>) {
  linalg.pooling_nwc_max_unsigned ins(%a, %b : memref<2x6x2xi16>, memref<3xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @pooling_nwc_max_unsigned_tensor_i32_11(%a: tensor<2x6x2xi32>, %b: tensor<3xi32>, %c: tensor<2x4x2xi32>) -> tensor<2x4x2xi32> {
  %r = linalg.pooling_nwc_max_unsigned ins(%a, %b : tensor<2x6x2xi32>, tensor<3xi32>) outs(%c : tensor<2x4x2xi32>) -> tensor<2x4x2xi32>
  return %r : tensor<2x4x2xi32>
}

func.func @pooling_nwc_max_unsigned_memref_f32_21(%a: memref<2x9x2xf32>, %b: memref<3xf32>, %c: memref<2x4x2xf32>) {
  linalg.pooling_nwc_max_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xf32>, memref<3xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @pooling_nwc_max_unsigned_memref_i16_21(%a: memref<2x9x2xi16>, %b: memref<3xi16>, %c: memref<2x4x2xi32>) {
  linalg.pooling_nwc_max_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xi16>, memref<3xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @pooling_nwc_max_unsigned_memref_f32_12(%a: memref<2x8x2xf32>, %b: memref<3xf32>, %c: memref<2x4x2xf32>) {
  linalg.pooling_nwc_max_unsigned {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xf32>, memref<3xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @pooling_nwc_max_unsigned_memref_i16_12(%a: memref<2x8x2xi16>, %b: memref<3xi16>, %c: memref<2x4x2xi32>) {
  linalg.pooling_nwc_max_unsigned {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xi16>, memref<3xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @pooling_nwc_min_memref_f32_11(%a: memref<2x6x2xf32>, %b: memref<3xf32>, %c: memref<2x4x2xf32>) {
  linalg.pooling_nwc_min ins(%a, %b : memref<2x6x2xf32>, memref<3xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @pooling_nwc_min_memref_i16_11(%a: memref<2x6x2xi16>, %b: memref<3xi16>, %c: memref<2x4x2xi32>) {
  linalg.pooling_nwc_min ins(%a, %b : memref<2x6x2xi16>, memref<3xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @pooling_nwc_min_tensor_i32_11(%a: tensor<2x6x2xi32>, %b: tensor<3xi32>, %c: tensor<2x4x2xi32>) -> tensor<2x4x2xi32> {
  %r = linalg.pooling_nwc_min ins(%a, %b : tensor<2x6x2xi32>, tensor<3xi32>) outs(%c : tensor<2x4x2xi32>) -> tensor<2x4x2xi32>
  return %r : tensor<2x4x2xi32>
}

func.func @pooling_nwc_min_memref_f32_21(%a: memref<2x9x2xf32>, %b: memref<3xf32>, %c: memref<2x4x2xf32>) {
  linalg.pooling_nwc_min {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xf32>, memref<3xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @pooling_nwc_min_memref_i16_21(%a: memref<2x9x2xi16>, %b: memref<3xi16>, %c: memref<2x4x2xi32>) {
  linalg.pooling_nwc_min {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xi16>, memref<3xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @pooling_nwc_min_memref_f32_12(%a: memref<2x8x2xf32>, %b: memref<3xf32>, %c: memref<2x4x2xf32>) {
  linalg.pooling_nwc_min {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xf32>, memref<3xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @pooling_nwc_min_memref_i16_12(%a: memref<2x8x2xi16>, %b: memref<3xi16>, %c: memref<2x4x2xi32>) {
  linalg.pooling_nwc_min {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xi16>, memref<3xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @pooling_nwc_min_unsigned_memref_f32_11(%a: memref<2x6x2xf32>, %b: memref<3xf32>, %c: memref<2x4x2xf32>) {
  linalg.pooling_nwc_min_unsigned ins(%a, %b : memref<2x6x2xf32>, memref<3xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @pooling_nwc_min_unsigned_memref_i16_11(%a: memref<2x6x2xi16>, %b: memref<3xi16>, %c: memref<2x4x2xi32>) {
  linalg.pooling_nwc_min_unsigned ins(%a, %b : memref<2x6x2xi16>, memref<3xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @pooling_nwc_min_unsigned_tensor_i32_11(%a: tensor<2x6x2xi32>, %b: tensor<3xi32>, %c: tensor<2x4x2xi32>) -> tensor<2x4x2xi32> {
  %r = linalg.pooling_nwc_min_unsigned ins(%a, %b : tensor<2x6x2xi32>, tensor<3xi32>) outs(%c : tensor<2x4x2xi32>) -> tensor<2x4x2xi32>
  return %r : tensor<2x4x2xi32>
}

func.func @pooling_nwc_min_unsigned_memref_f32_21(%a: memref<2x9x2xf32>, %b: memref<3xf32>, %c: memref<2x4x2xf32>) {
  linalg.pooling_nwc_min_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xf32>, memref<3xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @pooling_nwc_min_unsigned_memref_i16_21(%a: memref<2x9x2xi16>, %b: memref<3xi16>, %c: memref<2x4x2xi32>) {
  linalg.pooling_nwc_min_unsigned {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x9x2xi16>, memref<3xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @pooling_nwc_min_unsigned_memref_f32_12(%a: memref<2x8x2xf32>, %b: memref<3xf32>, %c: memref<2x4x2xf32>) {
  linalg.pooling_nwc_min_unsigned {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xf32>, memref<3xf32>) outs(%c : memref<2x4x2xf32>)
  return
}

func.func @pooling_nwc_min_unsigned_memref_i16_12(%a: memref<2x8x2xi16>, %b: memref<3xi16>, %c: memref<2x4x2xi32>) {
  linalg.pooling_nwc_min_unsigned {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x8x2xi16>, memref<3xi16>) outs(%c : memref<2x4x2xi32>)
  return
}

func.func @pooling_ncw_sum_memref_f32_11(%a: memref<2x2x6xf32>, %b: memref<3xf32>, %c: memref<2x2x4xf32>) {
  linalg.pooling_ncw_sum ins(%a, %b : memref<2x2x6xf32>, memref<3xf32>) outs(%c : memref<2x2x4xf32>)
  return
}

func.func @pooling_ncw_sum_memref_i16_11(%a: memref<2x2x6xi16>, %b: memref<3xi16>, %c: memref<2x2x4xi32>) {
  linalg.pooling_ncw_sum ins(%a, %b : memref<2x2x6xi16>, memref<3xi16>) outs(%c : memref<2x2x4xi32>)
  return
}

func.func @pooling_ncw_sum_tensor_i32_11(%a: tensor<2x2x6xi32>, %b: tensor<3xi32>, %c: tensor<2x2x4xi32>) -> tensor<2x2x4xi32> {
  %r = linalg.pooling_ncw_sum ins(%a, %b : tensor<2x2x6xi32>, tensor<3xi32>) outs(%c : tensor<2x2x4xi32>) -> tensor<2x2x4xi32>
  return %r : tensor<2x2x4xi32>
}

func.func @pooling_ncw_sum_memref_f32_21(%a: memref<2x2x9xf32>, %b: memref<3xf32>, %c: memref<2x2x4xf32>) {
  linalg.pooling_ncw_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x2x9xf32>, memref<3xf32>) outs(%c : memref<2x2x4xf32>)
  return
}

func.func @pooling_ncw_sum_memref_i16_21(%a: memref<2x2x9xi16>, %b: memref<3xi16>, %c: memref<2x2x4xi32>) {
  linalg.pooling_ncw_sum {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x2x9xi16>, memref<3xi16>) outs(%c : memref<2x2x4xi32>)
  return
}

func.func @pooling_ncw_sum_memref_f32_12(%a: memref<2x2x8xf32>, %b: memref<3xf32>, %c: memref<2x2x4xf32>) {
  linalg.pooling_ncw_sum {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x2x8xf32>, memref<3xf32>) outs(%c : memref<2x2x4xf32>)
  return
}

func.func @pooling_ncw_sum_memref_i16_12(%a: memref<2x2x8xi16>, %b: memref<3xi16>, %c: memref<2x2x4xi32>) {
  linalg.pooling_ncw_sum {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x2x8xi16>, memref<3xi16>) outs(%c : memref<2x2x4xi32>)
  return
}

func.func @pooling_ncw_max_memref_f32_11(%a: memref<2x2x6xf32>, %b: memref<3xf32>, %c: memref<2x2x4xf32>) {
  linalg.pooling_ncw_max ins(%a, %b : memref<2x2x6xf32>, memref<3xf32>) outs(%c : memref<2x2x4xf32>)
  return
}

func.func @pooling_ncw_max_memref_i16_11(%a: memref<2x2x6xi16>, %b: memref<3xi16>, %c: memref<2x2x4xi32>) {
  linalg.pooling_ncw_max ins(%a, %b : memref<2x2x6xi16>, memref<3xi16>) outs(%c : memref<2x2x4xi32>)
  return
}

func.func @pooling_ncw_max_tensor_i32_11(%a: tensor<2x2x6xi32>, %b: tensor<3xi32>, %c: tensor<2x2x4xi32>) -> tensor<2x2x4xi32> {
  %r = linalg.pooling_ncw_max ins(%a, %b : tensor<2x2x6xi32>, tensor<3xi32>) outs(%c : tensor<2x2x4xi32>) -> tensor<2x2x4xi32>
  return %r : tensor<2x2x4xi32>
}

func.func @pooling_ncw_max_memref_f32_21(%a: memref<2x2x9xf32>, %b: memref<3xf32>, %c: memref<2x2x4xf32>) {
  linalg.pooling_ncw_max {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x2x9xf32>, memref<3xf32>) outs(%c : memref<2x2x4xf32>)
  return
}

func.func @pooling_ncw_max_memref_i16_21(%a: memref<2x2x9xi16>, %b: memref<3xi16>, %c: memref<2x2x4xi32>) {
  linalg.pooling_ncw_max {dilations = dense<1> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%a, %b : memref<2x2x9xi16>, memref<3xi16>) outs(%c : memref<2x2x4xi32>)
  return
}

func.func @pooling_ncw_max_memref_f32_12(%a: memref<2x2x8xf32>, %b: memref<3xf32>, %c: memref<2x2x4xf32>) {
  linalg.pooling_ncw_max {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x2x8xf32>, memref<3xf32>) outs(%c : memref<2x2x4xf32>)
  return
}

func.func @pooling_ncw_max_memref_i16_12(%a: memref<2x2x8xi16>, %b: memref<3xi16>, %c: memref<2x2x4xi32>) {
  linalg.pooling_ncw_max {dilations = dense<2> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>} ins(%a, %b : memref<2x2x8xi16>, memref<3xi16>) outs(%c : memref<2x2x4xi32>)
  return
}

func.func @pooling_ndhwc_sum_memref_f32_11(%a: memref<2x3x4x6x2xf32>, %b: memref<2x2x3xf32>, %c: memref<2x2x3x4x2xf32>) {
  linalg.pooling_ndhwc_sum ins(%a, %b : memref<2x3x4x6x2xf32>, memref<2x2x3xf32>) outs(%c : memref<2x2x3x4x2xf32>)
  return
}

func.func @pooling_ndhwc_sum_memref_i16_11(%a: memref<2x3x4x6x2xi16>, %b: memref<2x2x3xi16>, %c: memref<2x2x3x4x2xi32>) {
  linalg.pooling_ndhwc_sum ins(%a, %b : memref<2x3x4x6x2xi16>, memref<2x2x3xi16>) outs(%c : memref<2x2x3x4x2xi32>)
  return
}

func.func @pooling_ndhwc_sum_tensor_i32_11(%a: tensor<2x3x4x6x2xi32>, %b: tensor<2x2x3xi32>, %c: tensor<2x2x3x4x2xi32>) -> tensor<2x2x3x4x2xi32> {
  %r = linalg.pooling_ndhwc_sum ins(%a, %b : tensor<2x3x4x6x2xi32>, tensor<2x2x3xi32>) outs(%c : tensor<2x2x3x4x2xi32>) -> tensor<2x2x3x4x2xi32>
  return %r : tensor<2x2x3x4x2xi32>
}

func.func @pooling_ndhwc_sum_memref_f32_21(%a: memref<2x4x6x9x2xf32>, %b: memref<2x2x3xf32>, %c: memref<2x2x3x4x2xf32>) {
  linalg.pooling_ndhwc_sum {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x4x6x9x2xf32>, memref<2x2x3xf32>) outs(%c : memref<2x2x3x4x2xf32>)
  return
}

func.func @pooling_ndhwc_sum_memref_i16_21(%a: memref<2x4x6x9x2xi16>, %b: memref<2x2x3xi16>, %c: memref<2x2x3x4x2xi32>) {
  linalg.pooling_ndhwc_sum {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x4x6x9x2xi16>, memref<2x2x3xi16>) outs(%c : memref<2x2x3x4x2xi32>)
  return
}

func.func @pooling_ndhwc_sum_memref_f32_12(%a: memref<2x4x5x8x2xf32>, %b: memref<2x2x3xf32>, %c: memref<2x2x3x4x2xf32>) {
  linalg.pooling_ndhwc_sum {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x4x5x8x2xf32>, memref<2x2x3xf32>) outs(%c : memref<2x2x3x4x2xf32>)
  return
}

func.func @pooling_ndhwc_sum_memref_i16_12(%a: memref<2x4x5x8x2xi16>, %b: memref<2x2x3xi16>, %c: memref<2x2x3x4x2xi32>) {
  linalg.pooling_ndhwc_sum {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x4x5x8x2xi16>, memref<2x2x3xi16>) outs(%c : memref<2x2x3x4x2xi32>)
  return
}

func.func @pooling_ndhwc_max_memref_f32_11(%a: memref<2x3x4x6x2xf32>, %b: memref<2x2x3xf32>, %c: memref<2x2x3x4x2xf32>) {
  linalg.pooling_ndhwc_max ins(%a, %b : memref<2x3x4x6x2xf32>, memref<2x2x3xf32>) outs(%c : memref<2x2x3x4x2xf32>)
  return
}

func.func @pooling_ndhwc_max_memref_i16_11(%a: memref<2x3x4x6x2xi16>, %b: memref<2x2x3xi16>, %c: memref<2x2x3x4x2xi32>) {
  linalg.pooling_ndhwc_max ins(%a, %b : memref<2x3x4x6x2xi16>, memref<2x2x3xi16>) outs(%c : memref<2x2x3x4x2xi32>)
  return
}

func.func @pooling_ndhwc_max_tensor_i32_11(%a: tensor<2x3x4x6x2xi32>, %b: tensor<2x2x3xi32>, %c: tensor<2x2x3x4x2xi32>) -> tensor<2x2x3x4x2xi32> {
  %r = linalg.pooling_ndhwc_max ins(%a, %b : tensor<2x3x4x6x2xi32>, tensor<2x2x3xi32>) outs(%c : tensor<2x2x3x4x2xi32>) -> tensor<2x2x3x4x2xi32>
  return %r : tensor<2x2x3x4x2xi32>
}

func.func @pooling_ndhwc_max_memref_f32_21(%a: memref<2x4x6x9x2xf32>, %b: memref<2x2x3xf32>, %c: memref<2x2x3x4x2xf32>) {
  linalg.pooling_ndhwc_max {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x4x6x9x2xf32>, memref<2x2x3xf32>) outs(%c : memref<2x2x3x4x2xf32>)
  return
}

func.func @pooling_ndhwc_max_memref_i16_21(%a: memref<2x4x6x9x2xi16>, %b: memref<2x2x3xi16>, %c: memref<2x2x3x4x2xi32>) {
  linalg.pooling_ndhwc_max {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x4x6x9x2xi16>, memref<2x2x3xi16>) outs(%c : memref<2x2x3x4x2xi32>)
  return
}

func.func @pooling_ndhwc_max_memref_f32_12(%a: memref<2x4x5x8x2xf32>, %b: memref<2x2x3xf32>, %c: memref<2x2x3x4x2xf32>) {
  linalg.pooling_ndhwc_max {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x4x5x8x2xf32>, memref<2x2x3xf32>) outs(%c : memref<2x2x3x4x2xf32>)
  return
}

func.func @pooling_ndhwc_max_memref_i16_12(%a: memref<2x4x5x8x2xi16>, %b: memref<2x2x3xi16>, %c: memref<2x2x3x4x2xi32>) {
  linalg.pooling_ndhwc_max {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x4x5x8x2xi16>, memref<2x2x3xi16>) outs(%c : memref<2x2x3x4x2xi32>)
  return
}

func.func @pooling_ndhwc_min_memref_f32_11(%a: memref<2x3x4x6x2xf32>, %b: memref<2x2x3xf32>, %c: memref<2x2x3x4x2xf32>) {
  linalg.pooling_ndhwc_min ins(%a, %b : memref<2x3x4x6x2xf32>, memref<2x2x3xf32>) outs(%c : memref<2x2x3x4x2xf32>)
  return
}

func.func @pooling_ndhwc_min_memref_i16_11(%a: memref<2x3x4x6x2xi16>, %b: memref<2x2x3xi16>, %c: memref<2x2x3x4x2xi32>) {
  linalg.pooling_ndhwc_min ins(%a, %b : memref<2x3x4x6x2xi16>, memref<2x2x3xi16>) outs(%c : memref<2x2x3x4x2xi32>)
  return
}

func.func @pooling_ndhwc_min_tensor_i32_11(%a: tensor<2x3x4x6x2xi32>, %b: tensor<2x2x3xi32>, %c: tensor<2x2x3x4x2xi32>) -> tensor<2x2x3x4x2xi32> {
  %r = linalg.pooling_ndhwc_min ins(%a, %b : tensor<2x3x4x6x2xi32>, tensor<2x2x3xi32>) outs(%c : tensor<2x2x3x4x2xi32>) -> tensor<2x2x3x4x2xi32>
  return %r : tensor<2x2x3x4x2xi32>
}

func.func @pooling_ndhwc_min_memref_f32_21(%a: memref<2x4x6x9x2xf32>, %b: memref<2x2x3xf32>, %c: memref<2x2x3x4x2xf32>) {
  linalg.pooling_ndhwc_min {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x4x6x9x2xf32>, memref<2x2x3xf32>) outs(%c : memref<2x2x3x4x2xf32>)
  return
}

func.func @pooling_ndhwc_min_memref_i16_21(%a: memref<2x4x6x9x2xi16>, %b: memref<2x2x3xi16>, %c: memref<2x2x3x4x2xi32>) {
  linalg.pooling_ndhwc_min {dilations = dense<1> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%a, %b : memref<2x4x6x9x2xi16>, memref<2x2x3xi16>) outs(%c : memref<2x2x3x4x2xi32>)
  return
}

func.func @pooling_ndhwc_min_memref_f32_12(%a: memref<2x4x5x8x2xf32>, %b: memref<2x2x3xf32>, %c: memref<2x2x3x4x2xf32>) {
  linalg.pooling_ndhwc_min {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x4x5x8x2xf32>, memref<2x2x3xf32>) outs(%c : memref<2x2x3x4x2xf32>)
  return
}

func.func @pooling_ndhwc_min_memref_i16_12(%a: memref<2x4x5x8x2xi16>, %b: memref<2x2x3xi16>, %c: memref<2x2x3x4x2xi32>) {
  linalg.pooling_ndhwc_min {dilations = dense<2> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>} ins(%a, %b : memref<2x4x5x8x2xi16>, memref<2x2x3xi16>) outs(%c : memref<2x2x3x4x2xi32>)
  return
}

func.func @copy_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.copy ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return
}

func.func @copy_memref_i32(%a: memref<3x4xi32>, %b: memref<3x4xi32>) {
  linalg.copy ins(%a : memref<3x4xi32>) outs(%b : memref<3x4xi32>)
  return
}

func.func @copy_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.copy ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @fill_memref_f32(%a: f32, %b: memref<3x4xf32>) {
  linalg.fill ins(%a : f32) outs(%b : memref<3x4xf32>)
  return
}

func.func @fill_memref_i32(%a: i32, %b: memref<3x4xi32>) {
  linalg.fill ins(%a : i32) outs(%b : memref<3x4xi32>)
  return
}

func.func @fill_tensor_f32(%a: f32, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.fill ins(%a : f32) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @exp_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.exp ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return
}

func.func @exp_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.exp ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @log_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.log ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return
}

func.func @log_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.log ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @abs_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.abs ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return
}

func.func @abs_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.abs ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @ceil_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.ceil ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return
}

func.func @ceil_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.ceil ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @floor_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.floor ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return
}

func.func @floor_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.floor ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @negf_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.negf ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return
}

func.func @negf_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.negf ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @reciprocal_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.reciprocal ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return
}

func.func @reciprocal_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.reciprocal ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @round_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.round ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return
}

func.func @round_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.round ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @sqrt_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.sqrt ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return
}

func.func @sqrt_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.sqrt ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @rsqrt_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.rsqrt ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return
}

func.func @rsqrt_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.rsqrt ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @square_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.square ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return
}

func.func @square_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.square ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @tanh_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.tanh ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return
}

func.func @tanh_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.tanh ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @erf_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>) {
  linalg.erf ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  return
}

func.func @erf_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.erf ins(%a : tensor<3x4xf32>) outs(%b : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @add_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>, %c: memref<3x4xf32>) {
  linalg.add ins(%a, %b : memref<3x4xf32>, memref<3x4xf32>) outs(%c : memref<3x4xf32>)
  return
}

func.func @add_memref_i32(%a: memref<3x4xi32>, %b: memref<3x4xi32>, %c: memref<3x4xi32>) {
  linalg.add ins(%a, %b : memref<3x4xi32>, memref<3x4xi32>) outs(%c : memref<3x4xi32>)
  return
}

func.func @add_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.add ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @sub_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>, %c: memref<3x4xf32>) {
  linalg.sub ins(%a, %b : memref<3x4xf32>, memref<3x4xf32>) outs(%c : memref<3x4xf32>)
  return
}

func.func @sub_memref_i32(%a: memref<3x4xi32>, %b: memref<3x4xi32>, %c: memref<3x4xi32>) {
  linalg.sub ins(%a, %b : memref<3x4xi32>, memref<3x4xi32>) outs(%c : memref<3x4xi32>)
  return
}

func.func @sub_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.sub ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @mul_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>, %c: memref<3x4xf32>) {
  linalg.mul ins(%a, %b : memref<3x4xf32>, memref<3x4xf32>) outs(%c : memref<3x4xf32>)
  return
}

func.func @mul_memref_i32(%a: memref<3x4xi32>, %b: memref<3x4xi32>, %c: memref<3x4xi32>) {
  linalg.mul ins(%a, %b : memref<3x4xi32>, memref<3x4xi32>) outs(%c : memref<3x4xi32>)
  return
}

func.func @mul_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.mul ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @div_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>, %c: memref<3x4xf32>) {
  linalg.div ins(%a, %b : memref<3x4xf32>, memref<3x4xf32>) outs(%c : memref<3x4xf32>)
  return
}

func.func @div_memref_i32(%a: memref<3x4xi32>, %b: memref<3x4xi32>, %c: memref<3x4xi32>) {
  linalg.div ins(%a, %b : memref<3x4xi32>, memref<3x4xi32>) outs(%c : memref<3x4xi32>)
  return
}

func.func @div_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.div ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @div_unsigned_memref_i32(%a: memref<3x4xi32>, %b: memref<3x4xi32>, %c: memref<3x4xi32>) {
  linalg.div_unsigned ins(%a, %b : memref<3x4xi32>, memref<3x4xi32>) outs(%c : memref<3x4xi32>)
  return
}

func.func @max_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>, %c: memref<3x4xf32>) {
  linalg.max ins(%a, %b : memref<3x4xf32>, memref<3x4xf32>) outs(%c : memref<3x4xf32>)
  return
}

func.func @max_memref_i32(%a: memref<3x4xi32>, %b: memref<3x4xi32>, %c: memref<3x4xi32>) {
  linalg.max ins(%a, %b : memref<3x4xi32>, memref<3x4xi32>) outs(%c : memref<3x4xi32>)
  return
}

func.func @max_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.max ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @min_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>, %c: memref<3x4xf32>) {
  linalg.min ins(%a, %b : memref<3x4xf32>, memref<3x4xf32>) outs(%c : memref<3x4xf32>)
  return
}

func.func @min_memref_i32(%a: memref<3x4xi32>, %b: memref<3x4xi32>, %c: memref<3x4xi32>) {
  linalg.min ins(%a, %b : memref<3x4xi32>, memref<3x4xi32>) outs(%c : memref<3x4xi32>)
  return
}

func.func @min_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.min ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @powf_memref_f32(%a: memref<3x4xf32>, %b: memref<3x4xf32>, %c: memref<3x4xf32>) {
  linalg.powf ins(%a, %b : memref<3x4xf32>, memref<3x4xf32>) outs(%c : memref<3x4xf32>)
  return
}

func.func @powf_tensor_f32(%a: tensor<3x4xf32>, %b: tensor<3x4xf32>, %c: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.powf ins(%a, %b : tensor<3x4xf32>, tensor<3x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

func.func @select_memref_f32(%a: memref<3x4xi1>, %b: memref<3x4xf32>, %c: memref<3x4xf32>, %d: memref<3x4xf32>) {
  linalg.select ins(%a, %b, %c : memref<3x4xi1>, memref<3x4xf32>, memref<3x4xf32>) outs(%d : memref<3x4xf32>)
  return
}

func.func @select_memref_i32(%a: memref<3x4xi1>, %b: memref<3x4xi32>, %c: memref<3x4xi32>, %d: memref<3x4xi32>) {
  linalg.select ins(%a, %b, %c : memref<3x4xi1>, memref<3x4xi32>, memref<3x4xi32>) outs(%d : memref<3x4xi32>)
  return
}

func.func @select_tensor_f32(%a: tensor<3x4xi1>, %b: tensor<3x4xf32>, %c: tensor<3x4xf32>, %d: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.select ins(%a, %b, %c : tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) outs(%d : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
