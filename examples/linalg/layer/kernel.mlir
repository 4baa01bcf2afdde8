// A dense layer of a quantised network, on tensors: products of bytes, a bias, and no negative results.
func.func @layer(%x: tensor<4x16xi8>, %w: tensor<16x8xi8>, %bias: tensor<8xi32>) -> tensor<4x8xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<4x8xi32>
  %start = linalg.fill ins(%zero : i32) outs(%empty : tensor<4x8xi32>) -> tensor<4x8xi32>
  %sums = linalg.matmul ins(%x, %w : tensor<4x16xi8>, tensor<16x8xi8>) outs(%start : tensor<4x8xi32>) -> tensor<4x8xi32>
  %y = linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%sums, %bias : tensor<4x8xi32>, tensor<8xi32>) outs(%empty : tensor<4x8xi32>) {
  ^bb0(%sum: i32, %b: i32, %out: i32):
    %shifted = arith.addi %sum, %b : i32
    %active = arith.maxsi %shifted, %zero : i32
    linalg.yield %active : i32
  } -> tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}
