// passes: one-shot-bufferize

// The old tensor is not read any more, so it is changed in place; the argument stays as it is.
func.func @in_place(%x: tensor<4xi32>, %k: i32) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.insert %k into %x[%c0] : tensor<4xi32>
  %b = tensor.insert %k into %a[%c1] : tensor<4xi32>
  return %b : tensor<4xi32>
}

// The old tensor is read later, so the change is in a copy.
func.func @copied(%x: tensor<4xi32>, %k: i32) -> (tensor<4xi32>, i32) {
  %c0 = arith.constant 0 : index
  %a = arith.addi %x, %x : tensor<4xi32>
  %b = tensor.insert %k into %a[%c0] : tensor<4xi32>
  %v = tensor.extract %a[%c0] : tensor<4xi32>
  return %b, %v : tensor<4xi32>, i32
}

// A tensor that a loop carries has one memory.
func.func @carried(%x: tensor<4xi32>) -> tensor<4xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %x) -> (tensor<4xi32>) {
    %v = tensor.extract %t[%i] : tensor<4xi32>
    %w = arith.muli %v, %v : i32
    %u = tensor.insert %w into %t[%i] : tensor<4xi32>
    scf.yield %u : tensor<4xi32>
  }
  return %r : tensor<4xi32>
}

// A constant is a memory of the module.
func.func @table(%i: index) -> i32 {
  %t = arith.constant dense<[3, 1, 4, 1]> : tensor<4xi32>
  %v = tensor.extract %t[%i] : tensor<4xi32>
  return %v : i32
}
