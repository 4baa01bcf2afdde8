// passes: remove-dead-values

// The second sum and the second argument go.
func.func private @twice(%x: i32, %y: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
func.func @kernel(%a: memref<8xi32>, %n: i32) -> i32 {
  %r:2 = affine.for %i = 0 to 8 iter_args(%s = %n, %t = %n) -> (i32, i32) {
    %x = affine.load %a[%i] : memref<8xi32>
    %y = func.call @twice(%x, %n) : (i32, i32) -> i32
    %u = arith.addi %s, %y : i32
    %v = arith.muli %t, %y : i32
    affine.yield %u, %v : i32, i32
  }
  return %r#0 : i32
}

//> module {
//>   func.func private @twice(%arg0: i32) -> i32 {
//>     %0 = arith.addi %arg0, %arg0 : i32
//>     return %0 : i32
//>   }
//>   func.func @kernel(%arg0: memref<8xi32>, %arg1: i32) -> i32 {
//>     %0 = affine.for %arg2 = 0 to 8 iter_args(%arg3 = %arg1) -> (i32) {
//>       %1 = affine.load %arg0[%arg2] : memref<8xi32>
//>       %2 = func.call @twice(%1) : (i32) -> i32
//>       %3 = arith.addi %arg3, %2 : i32
//>       affine.yield %3 : i32
//>     }
//>     return %0 : i32
//>   }
//> }
