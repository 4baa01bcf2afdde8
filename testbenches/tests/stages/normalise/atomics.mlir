// passes: normalise

// A load and a store: nothing comes between them.
func.func @atomics(%A: memref<4xi8>, %i: index, %x: i8) -> (i8, i8) {
  %before = memref.atomic_rmw maxs %x, %A[%i] : (i8, memref<4xi8>) -> i8
  %old = memref.generic_atomic_rmw %A[%i] : memref<4xi8> {
  ^bb0(%now: i8):
    %next = arith.xori %now, %x : i8
    memref.atomic_yield %next : i8
  }
  memref.prefetch %A[%i], read, locality<3>, data : memref<4xi8>
  %own = memref.alloca_scope -> (i8) {
    memref.alloca_scope.return %old : i8
  }
  return %before, %own : i8, i8
}

//> module {
//>   func.func @atomics(%arg0: memref<4xi8>, %arg1: index, %arg2: i8) -> (i8, i8) {
//>     %0 = memref.load %arg0[%arg1] : memref<4xi8>
//>     %1 = arith.maxsi %0, %arg2 : i8
//>     memref.store %1, %arg0[%arg1] : memref<4xi8>
//>     %2 = memref.load %arg0[%arg1] : memref<4xi8>
//>     %3 = arith.xori %2, %arg2 : i8
//>     memref.store %3, %arg0[%arg1] : memref<4xi8>
//>     return %0, %2 : i8, i8
//>   }
//> }
