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

//> #map = affine_map<(d0, d1, d2) -> (d0, d2)>
//> #map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
//> #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
//> #map3 = affine_map<(d0, d1) -> (d1, d0)>
//> #map4 = affine_map<(d0, d1) -> (d0, d1)>
//> #map5 = affine_map<(d0, d1) -> (d1)>
//> module {
//>   func.func @product(%arg0: memref<2x3xi16>, %arg1: memref<3x4xi16>, %arg2: memref<2x4xi32>) {
//>     linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<2x3xi16>, memref<3x4xi16>) outs(%arg2 : memref<2x4xi32>) {
//>     ^bb0(%in: i16, %in_0: i16, %out: i32):
//>       %0 = arith.extsi %in : i16 to i32
//>       %1 = arith.extsi %in_0 : i16 to i32
//>       %2 = arith.muli %0, %1 : i32
//>       %3 = arith.addi %out, %2 : i32
//>       linalg.yield %3 : i32
//>     }
//>     return
//>   }
//>   func.func @moved(%arg0: memref<2x3xf32>, %arg1: memref<3x2xf32>, %arg2: memref<3xf32>) {
//>     linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<2x3xf32>) outs(%arg1 : memref<3x2xf32>) {
//>     ^bb0(%in: f32, %out: f32):
//>       linalg.yield %in : f32
//>     }
//>     linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["reduction", "parallel"]} ins(%arg0 : memref<2x3xf32>) outs(%arg2 : memref<3xf32>) {
//>     ^bb0(%in: f32, %out: f32):
//>       %0 = arith.addf %out, %in : f32
//>       linalg.yield %0 : f32
//>     }
//>     linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<2x3xf32>) outs(%arg0 : memref<2x3xf32>) {
//>     ^bb0(%in: f32, %out: f32):
//>       %0 = math.absf %in : f32
//>       linalg.yield %0 : f32
//>     }
//>     return
//>   }
//> }
