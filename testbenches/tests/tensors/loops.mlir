// A tensor that a loop carries, with a number beside it.
func.func @carried(%x_m: memref<8xi32>, %y_m: memref<8xi32>, %n: i32) -> i32 {
  %x = bufferization.to_tensor %x_m restrict : memref<8xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0 : i32
  %r, %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %x, %s = %z) -> (tensor<8xi32>, i32) {
    %v = tensor.extract %t[%i] : tensor<8xi32>
    %w = arith.addi %v, %n : i32
    %t2 = tensor.insert %w into %t[%i] : tensor<8xi32>
    %s2 = arith.addi %s, %w : i32
    scf.yield %t2, %s2 : tensor<8xi32>, i32
  }
  bufferization.materialize_in_destination %r in restrict writable %y_m : (tensor<8xi32>, memref<8xi32>) -> ()
  return %sum : i32
}

// -----

// Two tensors that change places in each iteration.
func.func @swapped(%x_m: memref<4xi32>, %y_m: memref<4xi32>, %p_m: memref<4xi32>, %q_m: memref<4xi32>) {
  %x = bufferization.to_tensor %x_m restrict : memref<4xi32>
  %y = bufferization.to_tensor %y_m restrict : memref<4xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xi32>, tensor<4xi32>) {
    %v = tensor.extract %a[%i] : tensor<4xi32>
    %b2 = tensor.insert %v into %b[%c0] : tensor<4xi32>
    scf.yield %b2, %a : tensor<4xi32>, tensor<4xi32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %p_m : (tensor<4xi32>, memref<4xi32>) -> ()
  bufferization.materialize_in_destination %r#1 in restrict writable %q_m : (tensor<4xi32>, memref<4xi32>) -> ()
  return
}

// -----

// A tensor from outside of the loop is changed anew in each iteration.
func.func @changed_anew(%x_m: memref<4xi32>, %y_m: memref<4xi32>) {
  %x = bufferization.to_tensor %x_m restrict : memref<4xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %d = arith.addi %x, %x : tensor<4xi32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %x) -> (tensor<4xi32>) {
    %v = tensor.extract %t[%i] : tensor<4xi32>
    %e = tensor.insert %v into %d[%c0] : tensor<4xi32>
    %w = tensor.extract %e[%c0] : tensor<4xi32>
    %u = tensor.extract %e[%i] : tensor<4xi32>
    %s = arith.addi %w, %u : i32
    %t2 = tensor.insert %s into %t[%i] : tensor<4xi32>
    scf.yield %t2 : tensor<4xi32>
  }
  bufferization.materialize_in_destination %r in restrict writable %y_m : (tensor<4xi32>, memref<4xi32>) -> ()
  return
}

// -----

// Branches give different tensors.
func.func @chosen(%x_m: memref<4xi32>, %y_m: memref<4xi32>, %c: i1) {
  %x = bufferization.to_tensor %x_m restrict : memref<4xi32>
  %c1 = arith.constant 1 : index
  %k = arith.constant 9 : i32
  %r = scf.if %c -> tensor<4xi32> {
    %a = tensor.insert %k into %x[%c1] : tensor<4xi32>
    scf.yield %a : tensor<4xi32>
  } else {
    scf.yield %x : tensor<4xi32>
  }
  bufferization.materialize_in_destination %r in restrict writable %y_m : (tensor<4xi32>, memref<4xi32>) -> ()
  return
}

// -----

// Parts of a tensor by iterations that read what the tensor was before.
func.func @parts_in_parallel(%x_m: memref<4x8xi32>, %y_m: memref<4x8xi32>, %z_m: memref<4x8xi32>) {
  %x = bufferization.to_tensor %x_m restrict : memref<4x8xi32>
  %y = bufferization.to_tensor %y_m restrict : memref<4x8xi32>
  %r = scf.forall (%i) in (4) shared_outs(%o = %y) -> (tensor<4x8xi32>) {
    %a = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<4x8xi32> to tensor<1x8xi32>
    %b = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<4x8xi32> to tensor<1x8xi32>
    %s = linalg.add ins(%a, %b : tensor<1x8xi32>, tensor<1x8xi32>) outs(%b : tensor<1x8xi32>) -> tensor<1x8xi32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 8] [1, 1] : tensor<1x8xi32> into tensor<4x8xi32>
    }
  }
  bufferization.materialize_in_destination %r in restrict writable %z_m : (tensor<4x8xi32>, memref<4x8xi32>) -> ()
  return
}

// -----

// Tiles of a product.
func.func @tiles(%x_m: memref<4x4xi32>, %y_m: memref<4x4xi32>, %z_m: memref<4x4xi32>) {
  %x = bufferization.to_tensor %x_m restrict : memref<4x4xi32>
  %y = bufferization.to_tensor %y_m restrict : memref<4x4xi32>
  %z = bufferization.to_tensor %z_m restrict : memref<4x4xi32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c2 iter_args(%t = %z) -> (tensor<4x4xi32>) {
    %a = tensor.extract_slice %x[%i, 0] [2, 4] [1, 1] : tensor<4x4xi32> to tensor<2x4xi32>
    %c = tensor.extract_slice %t[%i, 0] [2, 4] [1, 1] : tensor<4x4xi32> to tensor<2x4xi32>
    %m = linalg.matmul ins(%a, %y : tensor<2x4xi32>, tensor<4x4xi32>) outs(%c : tensor<2x4xi32>) -> tensor<2x4xi32>
    %t2 = tensor.insert_slice %m into %t[%i, 0] [2, 4] [1, 1] : tensor<2x4xi32> into tensor<4x4xi32>
    scf.yield %t2 : tensor<4x4xi32>
  }
  bufferization.materialize_in_destination %r in restrict writable %z_m : (tensor<4x4xi32>, memref<4x4xi32>) -> ()
  return
}
