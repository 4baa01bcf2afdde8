// Counts 256 bytes in 32 bins of 8 neighbouring values each. Bytes are unsigned.
func.func @histogram(%data: memref<256xi8>, %bins: memref<32xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %bin_shift = arith.constant 3 : i8
  affine.for %bin = 0 to 32 {
    affine.store %zero, %bins[%bin] : memref<32xi32>
  }
  affine.for %i = 0 to 256 {
    %byte = affine.load %data[%i] : memref<256xi8>
    %bin_byte = arith.shrui %byte, %bin_shift : i8
    // Data-dependent, so a plain memref access: no affine map can describe it.
    %bin = arith.index_castui %bin_byte : i8 to index
    %count = memref.load %bins[%bin] : memref<32xi32>
    %more = arith.addi %count, %one : i32
    memref.store %more, %bins[%bin] : memref<32xi32>
  }
  return
}
