// Sums of 8 stretches of data. Their ends are in memory; a stretch is left early at a number below zero.
func.func @while_bounds(%bounds: memref<8x2xi32>, %data: memref<64xi32>, %sums: memref<8xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n_stretches = arith.constant 8 : index
  %none = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %false = arith.constant false
  scf.for %s = %zero to %n_stretches step %one {
    %start = memref.load %bounds[%s, %zero] : memref<8x2xi32>
    %end = memref.load %bounds[%s, %one] : memref<8x2xi32>
    %sum, %i = scf.while (%partial = %none, %i = %start) : (i32, i32) -> (i32, i32) {
      %inside = arith.cmpi slt, %i, %end : i32
      %more = scf.if %inside -> (i1) {
        %at = arith.index_cast %i : i32 to index
        %ahead = memref.load %data[%at] : memref<64xi32>
        %counts = arith.cmpi sge, %ahead, %none : i32
        scf.yield %counts : i1
      } else {
        scf.yield %false : i1
      }
      scf.condition(%more) %partial, %i : i32, i32
    } do {
    ^bb0(%partial: i32, %i: i32):
      %at = arith.index_cast %i : i32 to index
      %number = memref.load %data[%at] : memref<64xi32>
      %larger = arith.addi %partial, %number : i32
      %after = arith.addi %i, %step : i32
      scf.yield %larger, %after : i32, i32
    }
    memref.store %sum, %sums[%s] : memref<8xi32>
  }
  return
}
