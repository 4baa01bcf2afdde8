// Two rows of 1,920 words of 32 bits are kept in block memories, so that each word is read once.
func.func @blur(%in: memref<8x1920xi32>, %out: memref<8x1920xi32>) {
  affine.for %i = 1 to 7 {
    affine.for %j = 1 to 1919 {
      %p0 = affine.load %in[%i + -1, %j + -1] : memref<8x1920xi32>
      %p1 = affine.load %in[%i + -1, %j + 0] : memref<8x1920xi32>
      %s1 = arith.addi %p0, %p1 : i32
      %p2 = affine.load %in[%i + -1, %j + 1] : memref<8x1920xi32>
      %s2 = arith.addi %s1, %p2 : i32
      %p3 = affine.load %in[%i + 0, %j + -1] : memref<8x1920xi32>
      %s3 = arith.addi %s2, %p3 : i32
      %p4 = affine.load %in[%i + 0, %j + 0] : memref<8x1920xi32>
      %s4 = arith.addi %s3, %p4 : i32
      %p5 = affine.load %in[%i + 0, %j + 1] : memref<8x1920xi32>
      %s5 = arith.addi %s4, %p5 : i32
      %p6 = affine.load %in[%i + 1, %j + -1] : memref<8x1920xi32>
      %s6 = arith.addi %s5, %p6 : i32
      %p7 = affine.load %in[%i + 1, %j + 0] : memref<8x1920xi32>
      %s7 = arith.addi %s6, %p7 : i32
      %p8 = affine.load %in[%i + 1, %j + 1] : memref<8x1920xi32>
      %s8 = arith.addi %s7, %p8 : i32
      affine.store %s8, %out[%i, %j] : memref<8x1920xi32>
    }
  }
  return
}
