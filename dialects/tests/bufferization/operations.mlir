func.func @between(%m: memref<4xf32>, %t: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %a = bufferization.to_tensor %m : memref<4xf32>
  %b = bufferization.to_tensor %m restrict writable : memref<4xf32>
  %c = bufferization.to_memref %t : memref<4xf32>
  %d = bufferization.to_memref %t read_only : memref<4xf32>
  %e = bufferization.alloc_tensor() : tensor<4xf32>
  %f = bufferization.alloc_tensor(%i) : tensor<?xf32>
  %g = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  %h = bufferization.materialize_in_destination %t in %g : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.dealloc_tensor %g : tensor<4xf32>
  return %h : tensor<4xf32>
}
