// passes: directives, normalise, affine-to-scf, unroll
// config: {loops: {i: {unroll: 2}}}

// Two copies of the body for each iteration, the carried value passing through both.
func.func @sum(%a: memref<8xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> (i32) {
    %x = affine.load %a[%i] : memref<8xi32>
    %next = arith.addi %acc, %x : i32
    affine.yield %next : i32
  }
  return %sum : i32
}

//> module {
//>   func.func @sum(%arg0: memref<8xi32>) -> i32 {
//>     %c0_i32 = arith.constant 0 : i32
//>     %c0 = arith.constant 0 : index
//>     %c8 = arith.constant 8 : index
//>     %c1 = arith.constant 1 : index
//>     %c2 = arith.constant 2 : index
//>     %0 = arith.muli %c1, %c2 : index
//>     %c2_0 = arith.constant 2 : index
//>     %1 = scf.for %arg1 = %c0 to %c8 step %c2_0 iter_args(%arg2 = %c0_i32) -> (i32) {
//>       %2 = memref.load %arg0[%arg1] : memref<8xi32>
//>       %3 = arith.addi %arg2, %2 : i32
//>       %c1_1 = arith.constant 1 : index
//>       %4 = arith.muli %c1, %c1_1 : index
//>       %5 = arith.addi %arg1, %4 : index
//>       %6 = memref.load %arg0[%5] : memref<8xi32>
//>       %7 = arith.addi %3, %6 : i32
//>       scf.yield %7 : i32
//>     }
//>     return %1 : i32
//>   }
//> }
