// More operations than a graph is to have of one sum, without a loop: a schedule runs them, one token after the other.
func.func @sums_in_many_pieces_of_tokens(%a: memref<4xi70>, %b: i70, %out: memref<4xi70>) -> i70 {
  %zero = arith.constant 0 : i70
  %all = affine.for %i = 0 to 4 iter_args(%all = %zero) -> (i70) {
    %word = affine.load %a[%i] : memref<4xi70>
    %sum = arith.addi %word, %b : i70
    affine.store %sum, %out[%i] : memref<4xi70>
    %next = arith.xori %all, %sum : i70
    affine.yield %next : i70
  }
  return %all : i70
}
