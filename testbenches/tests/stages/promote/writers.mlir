// passes: promote

// A cell that a loop touches otherwise than by loads and stores stays in the memory.
func.func @atomic(%m: memref<4xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %m[%c0] : memref<4xi32>
    %w = arith.addi %v, %x : i32
    memref.store %w, %m[%c0] : memref<4xi32>
    %r = memref.atomic_rmw addi %x, %m[%c0] : (i32, memref<4xi32>) -> i32
  }
  return
}
func.func @view(%m: memref<4xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : memref<4xi32> into memref<2x2xi32>
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %m[%c0] : memref<4xi32>
    %w = arith.addi %v, %x : i32
    memref.store %w, %m[%c0] : memref<4xi32>
    memref.store %x, %e[%c0, %c0] : memref<2x2xi32>
  }
  return
}
func.func @unknown(%m: memref<4xi32>, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %m[%c0] : memref<4xi32>
    %w = arith.addi %v, %x : i32
    memref.store %w, %m[%c0] : memref<4xi32>
    "x.looks"() : () -> ()
  }
  return
}

//> module {
//>   func.func @atomic(%arg0: memref<4xi32>, %arg1: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       %0 = memref.load %arg0[%c0] : memref<4xi32>
//>       %1 = arith.addi %0, %arg1 : i32
//>       memref.store %1, %arg0[%c0] : memref<4xi32>
//>       %2 = memref.atomic_rmw addi %arg1, %arg0[%c0] : (i32, memref<4xi32>) -> i32
//>     }
//>     return
//>   }
//>   func.func @view(%arg0: memref<4xi32>, %arg1: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     %expand_shape = memref.expand_shape %arg0 [[0, 1]] output_shape [2, 2] : memref<4xi32> into memref<2x2xi32>
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       %0 = memref.load %arg0[%c0] : memref<4xi32>
//>       %1 = arith.addi %0, %arg1 : i32
//>       memref.store %1, %arg0[%c0] : memref<4xi32>
//>       memref.store %arg1, %expand_shape[%c0, %c0] : memref<2x2xi32>
//>     }
//>     return
//>   }
//>   func.func @unknown(%arg0: memref<4xi32>, %arg1: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       %0 = memref.load %arg0[%c0] : memref<4xi32>
//>       %1 = arith.addi %0, %arg1 : i32
//>       memref.store %1, %arg0[%c0] : memref<4xi32>
//>       "x.looks"() : () -> ()
//>     }
//>     return
//>   }
//> }
