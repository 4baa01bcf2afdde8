// Slices into one another, and padding.
func.func @slices(%x_m: memref<4x4xi32>, %y_m: memref<6x6xi32>) {
  %x = bufferization.to_tensor %x_m restrict : memref<4x4xi32>
  %z = arith.constant 7 : i32
  %t = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %in = tensor.insert_slice %t into %x[1, 1] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<4x4xi32>
  %sl = tensor.extract_slice %x[0, 2] [2, 2] [1, 1] : tensor<4x4xi32> to tensor<2x2xi32>
  %in2 = tensor.insert_slice %sl into %in[2, 0] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<4x4xi32>
  %p = tensor.pad %in2 low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : i32
  } : tensor<4x4xi32> to tensor<6x6xi32>
  bufferization.materialize_in_destination %p in restrict writable %y_m : (tensor<6x6xi32>, memref<6x6xi32>) -> ()
  return
}

// -----

// A slice that is read after the whole was changed, with dropped dimensions.
func.func @slice_of_the_past(%x_m: memref<4x4xi32>, %y_m: memref<4xi32>, %z_m: memref<4x4xi32>, %k: i32) {
  %x = bufferization.to_tensor %x_m restrict : memref<4x4xi32>
  %c1 = arith.constant 1 : index
  %d = arith.addi %x, %x : tensor<4x4xi32>
  %row = tensor.extract_slice %d[1, 0] [1, 4] [1, 1] : tensor<4x4xi32> to tensor<4xi32>
  %e = tensor.insert %k into %d[%c1, %c1] : tensor<4x4xi32>
  %s = arith.muli %row, %row : tensor<4xi32>
  bufferization.materialize_in_destination %s in restrict writable %y_m : (tensor<4xi32>, memref<4xi32>) -> ()
  bufferization.materialize_in_destination %e in restrict writable %z_m : (tensor<4x4xi32>, memref<4x4xi32>) -> ()
  return
}

// -----

// Other shapes of the same elements, elements in a row, and elements by subscript.
func.func @shapes(%x_m: memref<4x2xi32>, %y_m: memref<8xi32>, %z_m: memref<2x2xi32>) {
  %x = bufferization.to_tensor %x_m restrict : memref<4x2xi32>
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<4x2xi32> into tensor<8xi32>
  %g = tensor.generate {
  ^bb0(%i: index):
    %v = tensor.extract %flat[%i] : tensor<8xi32>
    %n = arith.index_cast %i : index to i32
    %w = arith.muli %v, %n : i32
    tensor.yield %w : i32
  } : tensor<8xi32>
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %a = tensor.extract %g[%c5] : tensor<8xi32>
  %b = tensor.extract %flat[%c0] : tensor<8xi32>
  %four = tensor.from_elements %a, %b, %b, %a : tensor<2x2xi32>
  bufferization.materialize_in_destination %g in restrict writable %y_m : (tensor<8xi32>, memref<8xi32>) -> ()
  bufferization.materialize_in_destination %four in restrict writable %z_m : (tensor<2x2xi32>, memref<2x2xi32>) -> ()
  return
}

// -----

// Tensors one after another, and an expanded one.
func.func @joined(%x_m: memref<2x2xi32>, %y_m: memref<1x2xi32>, %z_m: memref<3x2xi32>) {
  %x = bufferization.to_tensor %x_m restrict : memref<2x2xi32>
  %y = bufferization.to_tensor %y_m restrict : memref<1x2xi32>
  %e = tensor.empty() : tensor<3x2xi32>
  %a = tensor.insert_slice %x into %e[0, 0] [2, 2] [1, 1] : tensor<2x2xi32> into tensor<3x2xi32>
  %b = tensor.insert_slice %y into %a[2, 0] [1, 2] [1, 1] : tensor<1x2xi32> into tensor<3x2xi32>
  %c = tensor.collapse_shape %b [[0, 1]] : tensor<3x2xi32> into tensor<6xi32>
  %d = arith.addi %c, %c : tensor<6xi32>
  %f = tensor.expand_shape %d [[0, 1]] output_shape [3, 2] : tensor<6xi32> into tensor<3x2xi32>
  bufferization.materialize_in_destination %f in restrict writable %z_m : (tensor<3x2xi32>, memref<3x2xi32>) -> ()
  return
}

// -----

// A part with sizes that are known in another way, and a part for a callee.
func.func private @doubled(%x: tensor<2xi32>) -> tensor<2xi32> {
  %r = arith.addi %x, %x : tensor<2xi32>
  return %r : tensor<2xi32>
}

func.func @part_of_callee(%x_m: memref<4xi32>, %y_m: memref<2xi32>) -> i32 {
  %x = bufferization.to_tensor %x_m restrict : memref<4xi32>
  %c1 = arith.constant 1 : index
  %s = tensor.extract_slice %x[1] [2] [1] : tensor<4xi32> to tensor<2xi32>
  %d = tensor.cast %s : tensor<2xi32> to tensor<?xi32>
  %v = tensor.extract %d[%c1] : tensor<?xi32>
  %r = func.call @doubled(%s) : (tensor<2xi32>) -> tensor<2xi32>
  bufferization.materialize_in_destination %r in restrict writable %y_m : (tensor<2xi32>, memref<2xi32>) -> ()
  return %v : i32
}
