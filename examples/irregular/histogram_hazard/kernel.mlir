// Adds n weights to the bins that they name: the same bin twice in a row is a hazard through memory.
func.func @histogram_hazard(%n: i32, %features: memref<64xi32>, %weights: memref<64xi32>, %bins: memref<16xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %zero to %end step %one {
    %feature = memref.load %features[%i] : memref<64xi32>
    %weight = memref.load %weights[%i] : memref<64xi32>
    %bin = arith.index_cast %feature : i32 to index
    %old = memref.load %bins[%bin] : memref<16xi32>
    %new = arith.addi %old, %weight : i32
    memref.store %new, %bins[%bin] : memref<16xi32>
  }
  return
}
