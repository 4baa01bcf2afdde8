// An elastic circuit of a kernel whose array has an open dimension.
func.func @histogram(%n: i8, %x: memref<?xi3>, %h: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %end = arith.index_castui %n : i8 to index
  scf.for %i = %c0 to %end step %c1 {
    %v = memref.load %x[%i] : memref<?xi3>
    %at = arith.index_castui %v : i3 to index
    %old = memref.load %h[%at] : memref<8xi32>
    %new = arith.addi %old, %one : i32
    memref.store %new, %h[%at] : memref<8xi32>
  }
  return
}
