// More operations than a graph is to have of one sum, without a loop: a schedule runs them, one token after the other.
func.func @sums_in_many_pieces_of_tokens(%a: memref<4xi100>, %b: i100, %out: memref<4xi100>) -> i100 {
  %zero = arith.constant 0 : i100
  %all = affine.for %i = 0 to 4 iter_args(%all = %zero) -> (i100) {
    %word = affine.load %a[%i] : memref<4xi100>
    %sum = arith.addi %word, %b : i100
    affine.store %sum, %out[%i] : memref<4xi100>
    %next = arith.xori %all, %sum : i100
    affine.yield %next : i100
  }
  return %all : i100
}
