// A stream in, a stream out: each word and the three before it, weighted.
func.func @smooth(%x: memref<64xi16>, %y: memref<64xi32>) {
  %zero = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  affine.for %i = 0 to 64 iter_args(%a = %zero, %b = %zero, %c = %zero) -> (i32, i32, i32) {
    %narrow = affine.load %x[%i] : memref<64xi16>
    %d = arith.extsi %narrow : i16 to i32
    %inner = arith.addi %b, %c : i32
    %outer = arith.addi %a, %d : i32
    %p = arith.muli %inner, %c5 : i32
    %q = arith.muli %outer, %c3 : i32
    %sum = arith.addi %p, %q : i32
    affine.store %sum, %y[%i] : memref<64xi32>
    affine.yield %b, %c, %d : i32, i32, i32
  }
  return
}
