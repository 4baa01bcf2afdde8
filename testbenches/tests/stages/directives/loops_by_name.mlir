// passes: directives
// config: {loops: {i: {unroll: 4, ii: 2}}}

// A directive is an attribute of the loop whose induction variable has the name.
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
//>     %0 = affine.for %arg1 = 0 to 8 iter_args(%arg2 = %c0_i32) -> (i32) {
//>       %1 = affine.load %arg0[%arg1] : memref<8xi32>
//>       %2 = arith.addi %arg2, %1 : i32
//>       affine.yield %2 : i32
//>     } {sluice.fixed_ii = 2 : i64, sluice.unroll = 4 : i64}
//>     return %0 : i32
//>   }
//> }
