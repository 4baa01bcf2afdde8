// Variables without an initial value, as C front ends leave them: no use sees an undefined value.
func.func @last(%x: memref<8xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %none = llvm.mlir.undef : i32
  %poison = llvm.mlir.poison : i32
  %r:3 = affine.for %i = 0 to 8 iter_args(%sum = %zero, %last = %none, %before = %poison) -> (i32, i32, i32) {
    %a = affine.load %x[%i] : memref<8xi32>
    %more = arith.addi %sum, %a : i32
    affine.yield %more, %a, %last : i32, i32, i32
  }
  %s = arith.subi %r#0, %r#1 : i32
  %t = arith.subi %s, %r#2 : i32
  return %t : i32
}
