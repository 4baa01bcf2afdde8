// passes: normalise

// Two iterations become one, and the last of five runs behind them.
func.func @turns(%A: memref<4xi8>, %B: memref<4xi8>, %i: index) -> i8 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r:2 = scf.for %t = %c0 to %c5 step %c1 iter_args(%from = %A, %to = %B) -> (memref<4xi8>, memref<4xi8>) {
    %v = memref.load %from[%i] : memref<4xi8>
    memref.store %v, %to[%c0] : memref<4xi8>
    scf.yield %to, %from : memref<4xi8>, memref<4xi8>
  }
  %last = memref.load %r#0[%c0] : memref<4xi8>
  return %last : i8
}

// A number says which memory it is.
func.func @chosen(%A: memref<4xi8>, %B: memref<4xi8>, %p: i1, %i: index) -> i8 {
  %m = arith.select %p, %A, %B : memref<4xi8>
  %v = memref.load %m[%i] : memref<4xi8>
  return %v : i8
}

//> module {
//>   func.func @turns(%arg0: memref<4xi8>, %arg1: memref<4xi8>, %arg2: index) -> i8 {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c5 = arith.constant 5 : index
//>     %c4 = arith.constant 4 : index
//>     %c2 = arith.constant 2 : index
//>     %c0_i2 = arith.constant 0 : i2
//>     %c1_i2 = arith.constant 1 : i2
//>     %0:2 = scf.for %arg3 = %c0 to %c4 step %c2 iter_args(%arg4 = %c0_i2, %arg5 = %c1_i2) -> (i2, i2) {
//>       %3 = memref.load %arg0[%arg2] : memref<4xi8>
//>       memref.store %3, %arg1[%c0] : memref<4xi8>
//>       %4 = memref.load %arg1[%arg2] : memref<4xi8>
//>       memref.store %4, %arg0[%c0] : memref<4xi8>
//>       scf.yield %arg4, %arg5 : i2, i2
//>     }
//>     %1:2 = scf.for %arg3 = %c4 to %c5 step %c1 iter_args(%arg4 = %0#0, %arg5 = %0#1) -> (i2, i2) {
//>       %3 = memref.load %arg0[%arg2] : memref<4xi8>
//>       memref.store %3, %arg1[%c0] : memref<4xi8>
//>       scf.yield %arg5, %arg4 : i2, i2
//>     }
//>     %2 = memref.load %arg1[%c0] : memref<4xi8>
//>     return %2 : i8
//>   }
//>   func.func @chosen(%arg0: memref<4xi8>, %arg1: memref<4xi8>, %arg2: i1, %arg3: index) -> i8 {
//>     %c0_i2 = arith.constant 0 : i2
//>     %c1_i2 = arith.constant 1 : i2
//>     %0 = arith.select %arg2, %c0_i2, %c1_i2 : i2
//>     %c0_i2_0 = arith.constant 0 : i2
//>     %1 = arith.cmpi eq, %0, %c0_i2_0 : i2
//>     %2 = scf.if %1 -> (i8) {
//>       %3 = memref.load %arg0[%arg3] : memref<4xi8>
//>       scf.yield %3 : i8
//>     } else {
//>       %3 = memref.load %arg1[%arg3] : memref<4xi8>
//>       scf.yield %3 : i8
//>     }
//>     return %2 : i8
//>   }
//> }
