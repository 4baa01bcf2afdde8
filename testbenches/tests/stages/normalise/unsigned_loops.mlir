// passes: normalise

// Up to a small constant both orders of the bounds are the same; else the loop counts with the highest bit inverted.
func.func @unsigned(%m: memref<8xi32>, %n: i8, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for unsigned %i = %c0 to %c8 step %c1 {
    memref.store %x, %m[%i] : memref<8xi32>
  }
  %z = arith.constant 0 : i8
  %s = arith.constant 64 : i8
  scf.for unsigned %i = %z to %n step %s : i8 {
    %j = arith.index_castui %i nneg : i8 to index
    %k = arith.shrui %j, %c1 exact : index
    memref.store %x, %m[%k] : memref<8xi32>
  }
  return
}

//> module {
//>   func.func @unsigned(%arg0: memref<8xi32>, %arg1: i8, %arg2: i32) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     scf.for %arg3 = %c0 to %c8 step %c1 {
//>       memref.store %arg2, %arg0[%arg3] : memref<8xi32>
//>     }
//>     %c0_i8 = arith.constant 0 : i8
//>     %c64_i8 = arith.constant 64 : i8
//>     %c-128_i8 = arith.constant -128 : i8
//>     %0 = arith.xori %c0_i8, %c-128_i8 : i8
//>     %1 = arith.xori %arg1, %c-128_i8 : i8
//>     scf.for %arg3 = %0 to %1 step %c64_i8  : i8 {
//>       %2 = arith.xori %arg3, %c-128_i8 : i8
//>       %3 = arith.index_castui %2 nneg : i8 to index
//>       %4 = arith.shrui %3, %c1 exact : index
//>       memref.store %arg2, %arg0[%4] : memref<8xi32>
//>     }
//>     return
//>   }
//> }
