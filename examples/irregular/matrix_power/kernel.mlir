// Powers of a sparse 8 x 8 matrix of 16 entries times a vector: row k + 1 of x gathers entries times row k.
func.func @matrix_power(%x: memref<8x8xi32>, %rows: memref<16xi32>, %columns: memref<16xi32>, %entries: memref<16xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n_steps = arith.constant 7 : index
  %n_entries = arith.constant 16 : index
  scf.for %k = %zero to %n_steps step %one {
    %next = arith.addi %k, %one : index
    scf.for %p = %zero to %n_entries step %one {
      %r = memref.load %rows[%p] : memref<16xi32>
      %c = memref.load %columns[%p] : memref<16xi32>
      %entry = memref.load %entries[%p] : memref<16xi32>
      %row = arith.index_cast %r : i32 to index
      %column = arith.index_cast %c : i32 to index
      %before = memref.load %x[%k, %column] : memref<8x8xi32>
      %product = arith.muli %entry, %before : i32
      %old = memref.load %x[%next, %row] : memref<8x8xi32>
      %new = arith.addi %old, %product : i32
      memref.store %new, %x[%next, %row] : memref<8x8xi32>
    }
  }
  return
}
