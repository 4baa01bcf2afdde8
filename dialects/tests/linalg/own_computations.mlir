func.func @f(%a: memref<4x8xf32>, %b: memref<8x16xf32>, %c: memref<4x16xf32>, %x: memref<1x8x8x3xf32>, %k: memref<3x3x3x4xf32>, %o: memref<1x3x3x4xf32>, %v: f32, %r: memref<4xf32>, %t: memref<16x4xf32>) {
  linalg.matmul {foo} ins(%a, %b : memref<4x8xf32>, memref<8x16xf32>) outs(%c : memref<4x16xf32>)
  linalg.fill ins(%v : f32) outs(%c : memref<4x16xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%x, %k : memref<1x8x8x3xf32>, memref<3x3x3x4xf32>) outs(%o : memref<1x3x3x4xf32>)
  linalg.elemwise_binary {fun = #linalg.binary_fn<mul>} ins(%c, %c : memref<4x16xf32>, memref<4x16xf32>) outs(%c : memref<4x16xf32>)
  linalg.transpose ins(%c : memref<4x16xf32>) outs(%t : memref<16x4xf32>) permutation = [1, 0] 
  linalg.broadcast ins(%r : memref<4xf32>) outs(%c : memref<4x16xf32>) dimensions = [1]
  linalg.reduce { arith.addf } ins(%c : memref<4x16xf32>) outs(%r : memref<4xf32>) dimensions = [1]
  linalg.reduce ins(%c : memref<4x16xf32>) outs(%r : memref<4xf32>) dimensions = [1] (%i: f32, %s: f32) { 
    %q = arith.addf %i, %s : f32
    %q2 = arith.addf %q, %s : f32
    linalg.yield %q2 : f32 }
  linalg.map { math.exp } ins(%c : memref<4x16xf32>) outs(%c : memref<4x16xf32>)
  linalg.map ins(%c, %c : memref<4x16xf32>, memref<4x16xf32>) outs(%c : memref<4x16xf32>) (%i: f32, %s: f32) { 
    %q = arith.addf %i, %s : f32
    %q2 = arith.addf %q, %s : f32
    linalg.yield %q2 : f32 }
  linalg.generic {indexing_maps = [affine_map<(i,j)->(i)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel", "parallel"], doc = "hi", library_call = "x"} ins(%r : memref<4xf32>) outs(%c : memref<4x16xf32>) attrs = {bar} {
   ^bb0(%i : f32, %q : f32):
     %n = linalg.index 0 : index
     linalg.yield %i : f32
  }
  return
}
// -----
func.func @f(%a: memref<4xi32>, %c: memref<4xi32>, %t: tensor<4xi32>, %u: tensor<i32>, %x: memref<f32>) {
  linalg.map { arith.addi {overflowFlags = #arith.overflow<nsw>} } ins(%a, %a : memref<4xi32>, memref<4xi32>) outs(%c : memref<4xi32>) {foo}
  linalg.map { arith.addi } ins(%a, %a : memref<4xi32>, memref<4xi32>) outs(%c : memref<4xi32>)
  %0 = linalg.reduce { arith.subi } ins(%t : tensor<4xi32>) outs(%u : tensor<i32>) dimensions = [0] {foo}
  %1 = linalg.map ins(%t : tensor<4xi32>) outs(%t : tensor<4xi32>) {foo} (%i: i32) {
   linalg.yield %i : i32 }
  %2 = linalg.generic {indexing_maps = [affine_map<(i)->(i)>, affine_map<(i)->(i)>], iterator_types = ["parallel"]} ins(%t : tensor<4xi32>) outs(%t : tensor<4xi32>) {
   ^bb0(%i : i32, %j: i32):
     linalg.yield %i : i32
  } -> tensor<4xi32>
  linalg.generic {indexing_maps = [affine_map<()->()>], iterator_types = []} outs(%x : memref<f32>) {
   ^bb0(%i : f32):
     linalg.yield %i : f32
  }
  %3 = linalg.copy {bar} ins(%t : tensor<4xi32>) outs(%t : tensor<4xi32>) -> tensor<4xi32>
  %4 = linalg.transpose ins(%t : tensor<4xi32>) outs(%t : tensor<4xi32>) permutation = [0] {foo}
  return
}
