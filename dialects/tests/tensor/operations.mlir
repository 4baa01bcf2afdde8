func.func @values(%t: tensor<4x8xf32>, %u: tensor<?x8xf32>, %i: index, %x: f32) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %d = tensor.empty(%i) : tensor<?x8xf32>
  %c = tensor.cast %t : tensor<4x8xf32> to tensor<?x8xf32>
  %b = tensor.bitcast %t : tensor<4x8xf32> to tensor<4x8xi32>
  %n = tensor.dim %u, %i : tensor<?x8xf32>
  %r = tensor.rank %u : tensor<?x8xf32>
  %v = tensor.extract %t[%i, %i] : tensor<4x8xf32>
  %s = tensor.insert %x into %t[%i, %i] : tensor<4x8xf32>
  %f = tensor.from_elements %x, %x : tensor<2xf32>
  %p = tensor.splat %x : tensor<4x8xf32>
  %q = tensor.splat %x[%i] : tensor<?x8xf32>
  %g = tensor.generate %i {
  ^bb0(%a: index, %b0: index):
    tensor.yield %x : f32
  } : tensor<?x8xf32>
  return %s : tensor<4x8xf32>
}

// -----

func.func @parts(%t: tensor<4x8xf32>, %part: tensor<2x2xf32>, %i: index, %x: f32, %two: tensor<2xindex>) -> tensor<4x8xf32> {
  %a = tensor.extract_slice %t[0, %i] [2, 2] [1, 1] : tensor<4x8xf32> to tensor<2x2xf32>
  %b = tensor.insert_slice %part into %t[0, %i] [2, 2] [1, 1] {foo} : tensor<2x2xf32> into tensor<4x8xf32>
  %c = tensor.pad %t low[1, %i] high[0, 2] {
  ^bb0(%j: index, %k: index):
    tensor.yield %x : f32
  } : tensor<4x8xf32> to tensor<5x?xf32>
  %n = tensor.pad %t nofold low[1, 1] high[0, 2] {
  ^bb0(%j: index, %k: index):
    tensor.yield %x : f32
  } : tensor<4x8xf32> to tensor<5x11xf32>
  %d = tensor.collapse_shape %t [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %e = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
  %f = tensor.reshape %t(%two) : (tensor<4x8xf32>, tensor<2xindex>) -> tensor<8x4xf32>
  %g = tensor.concat dim(0) %t, %t : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %b : tensor<4x8xf32>
}

// -----

func.func @forall(%t: tensor<4x8xf32>, %part: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> (tensor<4x8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %part into %o[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<4x8xf32>
    }
  }
  return %r : tensor<4x8xf32>
}

// -----

func.func @wrong(%t: tensor<4x8xf32>, %i: index) {
  %v = tensor.extract %t[%i] : tensor<4x8xf32>
  return
}

// -----

func.func @wrong(%i: index) {
  %v = tensor.empty(%i) : tensor<4x8xf32>
  return
}

// -----

func.func @wrong(%t: tensor<4x8xf32>, %x: f32, %i: index) {
  %v = tensor.insert %x into %t[%i] : tensor<4x8xf32>
  return
}

// -----

func.func @wrong(%t: tensor<4x8xf32>, %x: i32, %i: index) {
  %v = tensor.insert %x into %t[%i, %i] : tensor<4x8xf32>
  return
}
