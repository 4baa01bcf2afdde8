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

//> kernel.mlir:5:8: error: `scf.while` on tensors has no memory form here
//>       %r = scf.while (%t = %x) : (tensor<4xi32>) -> tensor<4xi32> {
//>            ^
//> kernel.mlir:19:3: error: tensors that branches pass to blocks have no memory form; write the loop with `scf.for`
//>       return %t : tensor<4xi32>
//>       ^
//> 2 errors
