// passes: one-shot-bufferize

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

func.func @blocks(%x: tensor<4xi32>, %y: tensor<4xi32>, %c: i1) -> tensor<4xi32> {
  cf.cond_br %c, ^end(%x : tensor<4xi32>), ^end(%y : tensor<4xi32>)
^end(%t: tensor<4xi32>):
  return %t : tensor<4xi32>
}
