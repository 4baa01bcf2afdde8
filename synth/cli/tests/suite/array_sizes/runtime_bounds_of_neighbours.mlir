// Each iteration reads the cell that the one before wrote.
func.func @idx(%n: index, %m: index, %A: memref<20x20xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = arith.index_cast %i : index to i32
    scf.for %j = %c1 to %m step %c1 {
      %jm = arith.subi %j, %c1 : index
      %a = memref.load %A[%i, %jm] : memref<20x20xi32>
      %b = memref.load %A[%i, %j] : memref<20x20xi32>
      %c = arith.addi %a, %b : i32
      %d = arith.addi %c, %x : i32
      memref.store %d, %A[%i, %j] : memref<20x20xi32>
    }
  }
  return
}
