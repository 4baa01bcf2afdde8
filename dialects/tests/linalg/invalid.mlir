func.func @f(%a: memref<4x8xf32>, %b: memref<9x16xf32>, %c: memref<4x16xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<9x16xf32>) outs(%c : memref<4x16xf32>)
  return
}
// -----
func.func @f(%a: memref<4x8xf32>, %b: memref<8xf32>, %c: memref<4x16xf32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8xf32>) outs(%c : memref<4x16xf32>)
  return
}
// -----
func.func @f(%a: memref<4x8xf32>, %b: memref<8xf32>, %c: memref<4x16xf32>) {
  linalg.matmul ins(%a : memref<4x8xf32>) outs(%c : memref<4x16xf32>)
  return
}
// -----
func.func @f(%a: memref<4x8xf32>, %b: memref<8x16xf32>, %c: memref<4x16xi32>) {
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x16xf32>) outs(%c : memref<4x16xi32>)
  return
}
// -----
func.func @f(%a: memref<4xf32>, %c: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%c : memref<4xf32>) {
   ^bb0(%i : f32, %q : f32):
     linalg.yield %i : f32
  }
  return
}
// -----
func.func @f(%a: memref<4xf32>, %c: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4xf32>) outs(%c : memref<4xf32>) {
   ^bb0(%i : f32, %q : f32):
     linalg.yield %i : f32
  }
  return
}
// -----
func.func @f(%a: memref<4xf32>, %c: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%c : memref<4xf32>) {
   ^bb0(%i : f32):
     linalg.yield %i : f32
  }
  return
}
// -----
func.func @f(%a: memref<4xf32>, %c: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%c : memref<4xf32>) {
   ^bb0(%i : f32, %j: i32):
     linalg.yield %i : f32
  }
  return
}
// -----
func.func @f(%a: memref<4xf32>, %c: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%c : memref<4xf32>) {
   ^bb0(%i : f32, %j: f32):
     %d = linalg.index 1 : index
     linalg.yield %i : f32
  }
  return
}
// -----
func.func @f(%a: memref<4xf32>, %c: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%c : memref<4xf32>) {
   ^bb0(%i : f32, %j: f32):
     linalg.yield
  }
  return
}
// -----
func.func @f(%a: memref<4xf32>, %c: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%c : memref<4xf32>) {
   ^bb0(%i : f32, %j: f32):
     %d = linalg.index 0 : index
     linalg.yield %d : index
  }
  return
}
// -----
func.func @f(%a: memref<4xf32>, %c: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["paralel"]} ins(%a : memref<4xf32>) outs(%c : memref<4xf32>) {
   ^bb0(%i : f32, %j: f32):
     linalg.yield %j : f32
  }
  return
}
// -----
func.func @f(%a: memref<4xf32>, %c: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i)[s]->(i+s)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%c : memref<4xf32>) {
   ^bb0(%i : f32, %j: f32):
     linalg.yield %j : f32
  }
  return
}
// -----
func.func @f(%a: memref<4xf32>, %c: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i)->(i+1)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%c : memref<4xf32>) {
   ^bb0(%i : f32, %j: f32):
     linalg.yield %j : f32
  }
  return
}
// -----
func.func @f(%a: memref<4xf32>, %c: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j)->(i+j)>, affine_map<(i, j)->(i)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4xf32>) outs(%c : memref<4xf32>) {
   ^bb0(%i : f32, %j: f32):
     linalg.yield %j : f32
  }
  return
}
// -----
func.func @f(%a: memref<4x5xf32>, %c: memref<4x4xf32>) {
  linalg.transpose ins(%a : memref<4x5xf32>) outs(%c : memref<4x4xf32>) permutation = [1, 0]
  return
}
// -----
func.func @f(%a: memref<4x5xf32>, %c: memref<4x4xf32>) {
  linalg.transpose ins(%a : memref<4x5xf32>) outs(%c : memref<4x4xf32>) permutation = [1, 1]
  return
}
// -----
func.func @f(%a: memref<4x5xf32>, %c: memref<4xf32>) {
  linalg.reduce { arith.addf } ins(%a : memref<4x5xf32>) outs(%c : memref<4xf32>) dimensions = [0]
  return
}
// -----
func.func @f(%a: memref<4xf32>, %c: memref<4x5xf32>) {
  linalg.broadcast ins(%a : memref<4xf32>) outs(%c : memref<4x5xf32>) dimensions = [0]
  return
}
// -----
func.func @f(%a: memref<4xf32>, %c: memref<5xf32>) {
  linalg.map { arith.negf } ins(%a : memref<4xf32>) outs(%c : memref<5xf32>)
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %c: memref<5xf32>) {
  linalg.copy ins(%a : tensor<4xf32>) outs(%c : memref<5xf32>)
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %c: tensor<4xf32>) {
  linalg.copy ins(%a : tensor<4xf32>) outs(%c : tensor<4xf32>)
  return
}
// -----
func.func @f(%a: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<5xf32> {
  %0 = linalg.copy ins(%a : tensor<4xf32>) outs(%c : tensor<4xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
