// A sparse matrix of 16 rows, compressed by rows, times a vector.
func.func @spmv(%starts: memref<17xi32>, %columns: memref<64xi32>, %values: memref<64xi32>, %vector: memref<16xi32>,
                %result: memref<16xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n_rows = arith.constant 16 : index
  %nothing = arith.constant 0 : i32
  scf.for %row = %zero to %n_rows step %one {
    %next = arith.addi %row, %one : index
    %start = memref.load %starts[%row] : memref<17xi32>
    %end = memref.load %starts[%next] : memref<17xi32>
    %from = arith.index_cast %start : i32 to index
    %to = arith.index_cast %end : i32 to index
    %sum = scf.for %k = %from to %to step %one iter_args(%partial = %nothing) -> (i32) {
      %column = memref.load %columns[%k] : memref<64xi32>
      %value = memref.load %values[%k] : memref<64xi32>
      %at = arith.index_cast %column : i32 to index
      %element = memref.load %vector[%at] : memref<16xi32>
      %product = arith.muli %value, %element : i32
      %more = arith.addi %partial, %product : i32
      scf.yield %more : i32
    }
    memref.store %sum, %result[%row] : memref<16xi32>
  }
  return
}
