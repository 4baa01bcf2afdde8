// Adds the weight of each of `n` edges to the node that it leaves, and takes it from the one where it ends; edges without a weight count
// as loops at their first node. Returns how many there were.
func.func @degrees(%n: i32, %from: memref<64xi5>, %to: memref<64xi5>, %weights: memref<64xi16>, %sums: memref<32xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %unit = arith.constant 1 : i32
  %no_weight = arith.constant 0 : i16
  %end = arith.index_cast %n : i32 to index
  %loops = scf.for %e = %zero to %end step %one iter_args(%count = %none) -> (i32) {
    %a = memref.load %from[%e] : memref<64xi5>
    %b = memref.load %to[%e] : memref<64xi5>
    %weight = memref.load %weights[%e] : memref<64xi16>
    %source = arith.index_castui %a : i5 to index
    %target = arith.index_castui %b : i5 to index
    %is_loop = arith.cmpi eq, %weight, %no_weight : i16
    %new = scf.if %is_loop -> (i32) {
      %old = memref.load %sums[%source] : memref<32xi32>
      %more = arith.addi %old, %unit : i32
      memref.store %more, %sums[%source] : memref<32xi32>
      %counted = arith.addi %count, %unit : i32
      scf.yield %counted : i32
    } else {
      %wide = arith.extsi %weight : i16 to i32
      %out = memref.load %sums[%source] : memref<32xi32>
      %given = arith.addi %out, %wide : i32
      memref.store %given, %sums[%source] : memref<32xi32>
      %in = memref.load %sums[%target] : memref<32xi32>
      %taken = arith.subi %in, %wide : i32
      memref.store %taken, %sums[%target] : memref<32xi32>
      scf.yield %count : i32
    }
    scf.yield %new : i32
  }
  return %loops : i32
}
