// passes: licm

// Loads stay behind everything that may write their memory: atomic accesses, copies, unknown operations, stores through views.
func.func @atomic(%m: memref<4xi32>, %n: memref<4xi32>, %one: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %m[%c0] : memref<4xi32>
    memref.store %v, %n[%k] : memref<4xi32>
    %r = memref.atomic_rmw addi %one, %m[%c0] : (i32, memref<4xi32>) -> i32
  }
  return
}
func.func @copied(%m: memref<4xi32>, %n: memref<4xi32>, %src: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %m[%c0] : memref<4xi32>
    %w = memref.load %src[%c1] : memref<4xi32>
    %s = arith.addi %v, %w : i32
    memref.store %s, %n[%k] : memref<4xi32>
    memref.copy %src, %m : memref<4xi32> to memref<4xi32>
  }
  return
}
func.func @unknown(%m: memref<4xi32>, %n: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %m[%c0] : memref<4xi32>
    memref.store %v, %n[%k] : memref<4xi32>
    "x.writes"(%m) : (memref<4xi32>) -> ()
  }
  return
}
func.func @cast(%m: memref<4xi32>, %n: memref<4xi32>, %one: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %mm = memref.cast %m : memref<4xi32> to memref<?xi32>
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %m[%c0] : memref<4xi32>
    %u = memref.load %n[%c0] : memref<4xi32>
    %w = arith.addi %v, %u : i32
    memref.store %w, %mm[%c0] : memref<?xi32>
  }
  return
}
func.func @chosen(%m: memref<4xi32>, %n: memref<4xi32>, %p: i1, %one: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    %v = memref.load %m[%c0] : memref<4xi32>
    %w = arith.addi %v, %one : i32
    %some = arith.select %p, %m, %n : memref<4xi32>
    memref.store %w, %some[%c0] : memref<4xi32>
  }
  return
}

//> module {
//>   func.func @atomic(%arg0: memref<4xi32>, %arg1: memref<4xi32>, %arg2: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     scf.for %arg3 = %c0 to %c4 step %c1 {
//>       %0 = memref.load %arg0[%c0] : memref<4xi32>
//>       memref.store %0, %arg1[%arg3] : memref<4xi32>
//>       %1 = memref.atomic_rmw addi %arg2, %arg0[%c0] : (i32, memref<4xi32>) -> i32
//>     }
//>     return
//>   }
//>   func.func @copied(%arg0: memref<4xi32>, %arg1: memref<4xi32>, %arg2: memref<4xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     %0 = memref.load %arg2[%c1] : memref<4xi32>
//>     scf.for %arg3 = %c0 to %c4 step %c1 {
//>       %1 = memref.load %arg0[%c0] : memref<4xi32>
//>       %2 = arith.addi %1, %0 : i32
//>       memref.store %2, %arg1[%arg3] : memref<4xi32>
//>       memref.copy %arg2, %arg0 : memref<4xi32> to memref<4xi32>
//>     }
//>     return
//>   }
//>   func.func @unknown(%arg0: memref<4xi32>, %arg1: memref<4xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       %0 = memref.load %arg0[%c0] : memref<4xi32>
//>       memref.store %0, %arg1[%arg2] : memref<4xi32>
//>       "x.writes"(%arg0) : (memref<4xi32>) -> ()
//>     }
//>     return
//>   }
//>   func.func @cast(%arg0: memref<4xi32>, %arg1: memref<4xi32>, %arg2: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     %cast = memref.cast %arg0 : memref<4xi32> to memref<?xi32>
//>     %0 = memref.load %arg1[%c0] : memref<4xi32>
//>     scf.for %arg3 = %c0 to %c4 step %c1 {
//>       %1 = memref.load %arg0[%c0] : memref<4xi32>
//>       %2 = arith.addi %1, %0 : i32
//>       memref.store %2, %cast[%c0] : memref<?xi32>
//>     }
//>     return
//>   }
//>   func.func @chosen(%arg0: memref<4xi32>, %arg1: memref<4xi32>, %arg2: i1, %arg3: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     %0 = arith.select %arg2, %arg0, %arg1 : memref<4xi32>
//>     scf.for %arg4 = %c0 to %c4 step %c1 {
//>       %1 = memref.load %arg0[%c0] : memref<4xi32>
//>       %2 = arith.addi %1, %arg3 : i32
//>       memref.store %2, %0[%c0] : memref<4xi32>
//>     }
//>     return
//>   }
//> }
