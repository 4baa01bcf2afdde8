// passes: affine-to-scf, restructure, canonicalise
// Three loops become one; the iterations that only one has stay apart.
func.func @chain(%A: memref<12xi32>, %B: memref<12xi32>, %C: memref<12xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 12 {
    %a = affine.load %A[%i] : memref<12xi32>
    affine.store %a, %B[%i] : memref<12xi32>
  } {sluice.fuse}
  affine.for %j = 1 to 10 {
    %b = affine.load %B[%j - 1] : memref<12xi32>
    affine.store %b, %C[%j] : memref<12xi32>
  } {sluice.fuse}
  %sum = affine.for %k = 1 to 10 iter_args(%acc = %zero) -> (i32) {
    %c = affine.load %C[%k] : memref<12xi32>
    %next = arith.addi %acc, %c : i32
    affine.yield %next : i32
  }
  return %sum : i32
}

//> module {
//>   func.func @chain(%arg0: memref<12xi32>, %arg1: memref<12xi32>, %arg2: memref<12xi32>) -> i32 {
//>     %c0_i32 = arith.constant 0 : i32
//>     %c1 = arith.constant 1 : index
//>     %c0 = arith.constant 0 : index
//>     %0 = memref.load %arg0[%c0] : memref<12xi32>
//>     memref.store %0, %arg1[%c0] : memref<12xi32>
//>     %c10 = arith.constant 10 : index
//>     %1 = scf.for %arg3 = %c1 to %c10 step %c1 iter_args(%arg4 = %c0_i32) -> (i32) {
//>       %2 = memref.load %arg0[%arg3] : memref<12xi32>
//>       memref.store %2, %arg1[%arg3] : memref<12xi32>
//>       %c-1 = arith.constant -1 : index
//>       %3 = arith.addi %arg3, %c-1 : index
//>       %4 = memref.load %arg1[%3] : memref<12xi32>
//>       memref.store %4, %arg2[%arg3] : memref<12xi32>
//>       %5 = memref.load %arg2[%arg3] : memref<12xi32>
//>       %6 = arith.addi %arg4, %5 : i32
//>       scf.yield %6 : i32
//>     }
//>     %c12 = arith.constant 12 : index
//>     scf.for %arg3 = %c10 to %c12 step %c1 {
//>       %2 = memref.load %arg0[%arg3] : memref<12xi32>
//>       memref.store %2, %arg1[%arg3] : memref<12xi32>
//>     }
//>     return %1 : i32
//>   }
//> }
