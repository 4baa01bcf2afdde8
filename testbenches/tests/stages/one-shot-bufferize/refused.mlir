// passes: one-shot-bufferize

func.func @gathered(%x: tensor<4x4xi32>, %i: tensor<2x1xindex>) -> tensor<2x1x4xi32> {
  %r = tensor.gather %x[%i] gather_dims([0]) : (tensor<4x4xi32>, tensor<2x1xindex>) -> tensor<2x1x4xi32>
  return %r : tensor<2x1x4xi32>
}

func.func @until(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %r = scf.while (%t = %x) : (tensor<4xi32>) -> tensor<4xi32> {
    %v = tensor.extract %t[%c0] : tensor<4xi32>
    %c = arith.trunci %v : i32 to i1
    scf.condition(%c) %t : tensor<4xi32>
  } do {
  ^bb0(%t: tensor<4xi32>):
    scf.yield %t : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}
