// passes: convert-elementwise-to-linalg

func.func @sum(%x: tensor<4x?xi32>, %y: tensor<4x?xi32>) -> tensor<4x?xi32> {
  %r = arith.addi %x, %y overflow<nsw> : tensor<4x?xi32>
  return %r : tensor<4x?xi32>
}

func.func @chosen(%c: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.select %c, %x, %y : tensor<4xf32>
  return %r : tensor<4xf32>
}
