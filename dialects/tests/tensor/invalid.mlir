func.func @k(%x: tensor<4xi32>) -> tensor<5xi32> {
  %r = tensor.cast %x : tensor<4xi32> to tensor<5xi32>
  return %r : tensor<5xi32>
}

// -----

func.func @k(%x: tensor<2x2xi32>) -> tensor<3xi32> {
  %r = tensor.collapse_shape %x [[0, 1]] : tensor<2x2xi32> into tensor<3xi32>
  return %r : tensor<3xi32>
}

// -----

func.func @k(%x: tensor<2xi32>) -> tensor<4xi32> {
  %r = tensor.concat dim(5) %x, %x : (tensor<2xi32>, tensor<2xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

func.func @k(%v: i32) -> tensor<4xi32> {
  %r = tensor.generate {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : i32
  } : tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

func.func @k(%x: tensor<4xi32>, %y: tensor<3xi32>) -> tensor<4xi32> {
  %r = tensor.insert_slice %y into %x[0] [2] [1] : tensor<3xi32> into tensor<4xi32>
  return %r : tensor<4xi32>
}

// -----

func.func @k(%x: tensor<4xi32>, %v: i32) -> tensor<9xi32> {
  %r = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %v : i32
  } : tensor<4xi32> to tensor<9xi32>
  return %r : tensor<9xi32>
}

// -----

func.func @k(%x: tensor<4xi32>, %s: tensor<2xindex>) -> tensor<3x2xi32> {
  %r = tensor.reshape %x(%s) : (tensor<4xi32>, tensor<2xindex>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// -----

func.func @k(%x: tensor<4xi32>) -> tensor<3xi32> {
  %r = tensor.extract_slice %x[0] [2] [1] : tensor<4xi32> to tensor<3xi32>
  return %r : tensor<3xi32>
}

// -----

func.func @k(%v: i8) -> tensor<4xi32> {
  %r = tensor.generate {
  ^bb0(%i: index):
    tensor.yield %v : i8
  } : tensor<4xi32>
  return %r : tensor<4xi32>
}
