// Counts 64 values from 0 to 15.
func.func @histogram_64(%data: memref<64xi32>, %bins: memref<16xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to 64 {
    %value = affine.load %data[%i] : memref<64xi32>
    %bin = arith.index_cast %value : i32 to index
    %old = memref.load %bins[%bin] : memref<16xi32>
    %new = arith.addi %old, %one : i32
    memref.store %new, %bins[%bin] : memref<16xi32>
  }
  return
}
