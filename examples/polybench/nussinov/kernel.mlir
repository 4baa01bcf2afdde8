// table[i][j]: the most pairs that the bases from i to j can form; bases pair if they add up to 3.
func.func @kernel_nussinov(%seq: memref<8xi32>, %table: memref<8x8xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  // From the last row to the first.
  affine.for %step = 0 to 8 {
    affine.for %j = affine_map<(step) -> (8 - step)>(%step) to 8 {
      affine.if affine_set<(j) : (j - 1 >= 0)>(%j) {
        %here = affine.load %table[7 - %step, %j] : memref<8x8xi32>
        %left = affine.load %table[7 - %step, %j - 1] : memref<8x8xi32>
        %best = arith.maxsi %here, %left : i32
        affine.store %best, %table[7 - %step, %j] : memref<8x8xi32>
      }
      affine.if affine_set<(step) : (step - 1 >= 0)>(%step) {
        %here = affine.load %table[7 - %step, %j] : memref<8x8xi32>
        %below = affine.load %table[8 - %step, %j] : memref<8x8xi32>
        %best = arith.maxsi %here, %below : i32
        affine.store %best, %table[7 - %step, %j] : memref<8x8xi32>
      }
      affine.if affine_set<(j, step) : (j - 1 >= 0, step - 1 >= 0)>(%j, %step) {
        // Neighbours cannot pair: `i < j - 1`.
        affine.if affine_set<(j, step) : (j + step - 9 >= 0)>(%j, %step) {
          %here = affine.load %table[7 - %step, %j] : memref<8x8xi32>
          %inside = affine.load %table[8 - %step, %j - 1] : memref<8x8xi32>
          %first = affine.load %seq[7 - %step] : memref<8xi32>
          %second = affine.load %seq[%j] : memref<8xi32>
          %bases = arith.addi %first, %second : i32
          %match = arith.cmpi eq, %bases, %three : i32
          %pair = arith.select %match, %one, %zero : i32
          %paired = arith.addi %inside, %pair : i32
          %best = arith.maxsi %here, %paired : i32
          affine.store %best, %table[7 - %step, %j] : memref<8x8xi32>
        } else {
          %here = affine.load %table[7 - %step, %j] : memref<8x8xi32>
          %inside = affine.load %table[8 - %step, %j - 1] : memref<8x8xi32>
          %best = arith.maxsi %here, %inside : i32
          affine.store %best, %table[7 - %step, %j] : memref<8x8xi32>
        }
      }
      affine.for %k = affine_map<(step) -> (8 - step)>(%step) to affine_map<(j) -> (j)>(%j) {
        %here = affine.load %table[7 - %step, %j] : memref<8x8xi32>
        %left = affine.load %table[7 - %step, %k] : memref<8x8xi32>
        %right = affine.load %table[%k + 1, %j] : memref<8x8xi32>
        %split = arith.addi %left, %right : i32
        %best = arith.maxsi %here, %split : i32
        affine.store %best, %table[7 - %step, %j] : memref<8x8xi32>
      }
    }
  }
  return
}
