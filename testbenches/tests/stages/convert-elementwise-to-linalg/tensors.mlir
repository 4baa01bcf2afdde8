// passes: convert-elementwise-to-linalg

func.func @sum(%x: tensor<4x?xi32>, %y: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %r = arith.addi %x, %y overflow<nsw> : tensor<4x?xi32>
  return %r : tensor<4x?xi32>
}

func.func @chosen(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.select %c, %x, %y : tensor<4xf32>
  return %r : tensor<4xf32>
}

//> #map = affine_map<(d0, d1) -> (d0, d1)>
//> #map1 = affine_map<(d0) -> ()>
//> #map2 = affine_map<(d0) -> (d0)>
//> module {
//>   func.func @sum(%arg0: tensor<4x?xi32>, %arg1: tensor<4x?xi32>) -> tensor<4x?xi32> {
//>     %c1 = arith.constant 1 : index
//>     %dim = tensor.dim %arg0, %c1 : tensor<4x?xi32>
//>     %0 = tensor.empty(%dim) : tensor<4x?xi32>
//>     %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<4x?xi32>, tensor<4x?xi32>) outs(%0 : tensor<4x?xi32>) {
//>     ^bb0(%in: i32, %in_0: i32, %out: i32):
//>       %2 = arith.addi %in, %in_0 overflow<nsw> : i32
//>       linalg.yield %2 : i32
//>     } -> tensor<4x?xi32>
//>     return %1 : tensor<4x?xi32>
//>   }
//>   func.func @chosen(%arg0: i1, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>) -> tensor<4xf32> {
//>     %0 = tensor.empty() : tensor<4xf32>
//>     %1 = linalg.generic {indexing_maps = [#map1, #map2, #map2, #map2], iterator_types = ["parallel"]} ins(%arg0, %arg1, %arg2 : i1, tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
//>     ^bb0(%in: i1, %in_0: f32, %in_1: f32, %out: f32):
//>       %2 = arith.select %in, %in_0, %in_1 : f32
//>       linalg.yield %2 : f32
//>     } -> tensor<4xf32>
//>     return %1 : tensor<4xf32>
//>   }
//> }
