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

//> #map = affine_map<(d0) -> (d0)>
//> module {
//>   memref.global "private" constant @constant_0 : memref<4xi32> = dense<[3, 1, 4, 1]>
//>   func.func @in_place(%arg0: memref<4xi32>, %arg1: i32) -> memref<4xi32> {
//>     %alloc = memref.alloc() : memref<4xi32>
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     memref.copy %arg0, %alloc : memref<4xi32> to memref<4xi32>
//>     memref.store %arg1, %alloc[%c0] : memref<4xi32>
//>     memref.store %arg1, %alloc[%c1] : memref<4xi32>
//>     return %alloc : memref<4xi32>
//>   }
//>   func.func @copied(%arg0: memref<4xi32>, %arg1: i32) -> (memref<4xi32>, i32) {
//>     %alloc = memref.alloc() : memref<4xi32>
//>     %alloc_0 = memref.alloc() : memref<4xi32>
//>     %c0 = arith.constant 0 : index
//>     linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg0 : memref<4xi32>, memref<4xi32>) outs(%alloc_0 : memref<4xi32>) {
//>     ^bb0(%in: i32, %in_1: i32, %out: i32):
//>       %1 = arith.addi %in, %in_1 : i32
//>       linalg.yield %1 : i32
//>     }
//>     memref.copy %alloc_0, %alloc : memref<4xi32> to memref<4xi32>
//>     memref.store %arg1, %alloc[%c0] : memref<4xi32>
//>     %0 = memref.load %alloc_0[%c0] : memref<4xi32>
//>     return %alloc, %0 : memref<4xi32>, i32
//>   }
//>   func.func @carried(%arg0: memref<4xi32>) -> memref<4xi32> {
//>     %alloc = memref.alloc() : memref<4xi32>
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     memref.copy %arg0, %alloc : memref<4xi32> to memref<4xi32>
//>     scf.for %arg1 = %c0 to %c4 step %c1 {
//>       %0 = memref.load %alloc[%arg1] : memref<4xi32>
//>       %1 = arith.muli %0, %0 : i32
//>       memref.store %1, %alloc[%arg1] : memref<4xi32>
//>     }
//>     return %alloc : memref<4xi32>
//>   }
//>   func.func @table(%arg0: index) -> i32 {
//>     %0 = memref.get_global @constant_0 : memref<4xi32>
//>     %1 = memref.load %0[%arg0] : memref<4xi32>
//>     return %1 : i32
//>   }
//> }
