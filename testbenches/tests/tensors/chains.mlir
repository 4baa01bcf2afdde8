// A value that is read after it was changed, and chains of changes.
func.func @changed_and_read(%x_m: memref<4xi32>, %y_m: memref<4xi32>, %z_m: memref<4xi32>) {
  %x = bufferization.to_tensor %x_m restrict : memref<4xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 5 : i32
  %a = tensor.insert %k into %x[%c0] : tensor<4xi32>
  %b = tensor.insert %k into %a[%c1] : tensor<4xi32>
  %v = tensor.extract %a[%c1] : tensor<4xi32>
  %d = tensor.insert %v into %b[%c0] : tensor<4xi32>
  %e = arith.addi %a, %d : tensor<4xi32>
  bufferization.materialize_in_destination %d in restrict writable %y_m : (tensor<4xi32>, memref<4xi32>) -> ()
  bufferization.materialize_in_destination %e in restrict writable %z_m : (tensor<4xi32>, memref<4xi32>) -> ()
  return
}

// -----

// Operations element by element, a constant tensor and a splat.
func.func @elements(%x_m: memref<2x3xi32>, %y_m: memref<2x3xi32>, %s: i32) {
  %x = bufferization.to_tensor %x_m restrict : memref<2x3xi32>
  %k = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %t = tensor.splat %s : tensor<2x3xi32>
  %p = arith.muli %x, %k : tensor<2x3xi32>
  %q = arith.addi %p, %t : tensor<2x3xi32>
  %is_less = arith.cmpi slt, %q, %x : tensor<2x3xi32>
  %r = arith.select %is_less, %q, %x : tensor<2x3xi1>, tensor<2x3xi32>
  bufferization.materialize_in_destination %r in restrict writable %y_m : (tensor<2x3xi32>, memref<2x3xi32>) -> ()
  return
}

// -----

// A product that starts from zero, with a bias and a maximum in place.
func.func @layer(%x_m: memref<3x4xi32>, %w_m: memref<4x2xi32>, %b_m: memref<2xi32>, %y_m: memref<3x2xi32>) {
  %x = bufferization.to_tensor %x_m restrict : memref<3x4xi32>
  %w = bufferization.to_tensor %w_m restrict : memref<4x2xi32>
  %b = bufferization.to_tensor %b_m restrict : memref<2xi32>
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<3x2xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<3x2xi32>) -> tensor<3x2xi32>
  %m = linalg.matmul ins(%x, %w : tensor<3x4xi32>, tensor<4x2xi32>) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%m, %b : tensor<3x2xi32>, tensor<2xi32>) outs(%e : tensor<3x2xi32>) {
  ^bb0(%v: i32, %c: i32, %out: i32):
    %s = arith.addi %v, %c : i32
    %r = arith.maxsi %s, %zero : i32
    linalg.yield %r : i32
  } -> tensor<3x2xi32>
  bufferization.materialize_in_destination %r in restrict writable %y_m : (tensor<3x2xi32>, memref<3x2xi32>) -> ()
  return
}

// -----

// A transposition reads elements at other places than it writes.
func.func @square(%x_m: memref<3x3xi32>, %y_m: memref<3x3xi32>) {
  %x = bufferization.to_tensor %x_m restrict : memref<3x3xi32>
  %a = arith.addi %x, %x : tensor<3x3xi32>
  %e = tensor.empty() : tensor<3x3xi32>
  %t = linalg.transpose ins(%a : tensor<3x3xi32>) outs(%e : tensor<3x3xi32>) permutation = [1, 0]
  %s = arith.subi %t, %a : tensor<3x3xi32>
  bufferization.materialize_in_destination %s in restrict writable %y_m : (tensor<3x3xi32>, memref<3x3xi32>) -> ()
  return
}

// -----

// The output of an operation is one of its inputs.
func.func @output_is_input(%x_m: memref<3x3xi32>, %y_m: memref<3x3xi32>) {
  %x = bufferization.to_tensor %x_m restrict : memref<3x3xi32>
  %a = arith.muli %x, %x : tensor<3x3xi32>
  %b = linalg.matmul ins(%a, %x : tensor<3x3xi32>, tensor<3x3xi32>) outs(%a : tensor<3x3xi32>) -> tensor<3x3xi32>
  bufferization.materialize_in_destination %b in restrict writable %y_m : (tensor<3x3xi32>, memref<3x3xi32>) -> ()
  return
}
