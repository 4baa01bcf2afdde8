// latency: 5951108
// table[i][j]: the most pairs that the bases from i to j can form; bases pair if they add up to 3.
func.func @kernel_nussinov(%seq: memref<256xi32>, %table: memref<256x256xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  // From the last row to the first.
  affine.for %step = 0 to 256 {
    affine.for %j = affine_map<(step) -> (256 - step)>(%step) to 256 {
      affine.if affine_set<(j) : (j - 1 >= 0)>(%j) {
        %here = affine.load %table[255 - %step, %j] : memref<256x256xi32>
        %left = affine.load %table[255 - %step, %j - 1] : memref<256x256xi32>
        %best = arith.maxsi %here, %left : i32
        affine.store %best, %table[255 - %step, %j] : memref<256x256xi32>
      }
      affine.if affine_set<(step) : (step - 1 >= 0)>(%step) {
        %here = affine.load %table[255 - %step, %j] : memref<256x256xi32>
        %below = affine.load %table[256 - %step, %j] : memref<256x256xi32>
        %best = arith.maxsi %here, %below : i32
        affine.store %best, %table[255 - %step, %j] : memref<256x256xi32>
      }
      affine.if affine_set<(j, step) : (j - 1 >= 0, step - 1 >= 0)>(%j, %step) {
        // Neighbours cannot pair: `i < j - 1`.
        affine.if affine_set<(j, step) : (j + step - 257 >= 0)>(%j, %step) {
          %here = affine.load %table[255 - %step, %j] : memref<256x256xi32>
          %inside = affine.load %table[256 - %step, %j - 1] : memref<256x256xi32>
          %first = affine.load %seq[255 - %step] : memref<256xi32>
          %second = affine.load %seq[%j] : memref<256xi32>
          %bases = arith.addi %first, %second : i32
          %match = arith.cmpi eq, %bases, %three : i32
          %pair = arith.select %match, %one, %zero : i32
          %paired = arith.addi %inside, %pair : i32
          %best = arith.maxsi %here, %paired : i32
          affine.store %best, %table[255 - %step, %j] : memref<256x256xi32>
        } else {
          %here = affine.load %table[255 - %step, %j] : memref<256x256xi32>
          %inside = affine.load %table[256 - %step, %j - 1] : memref<256x256xi32>
          %best = arith.maxsi %here, %inside : i32
          affine.store %best, %table[255 - %step, %j] : memref<256x256xi32>
        }
      }
      affine.for %k = affine_map<(step) -> (256 - step)>(%step) to affine_map<(j) -> (j)>(%j) {
        %here = affine.load %table[255 - %step, %j] : memref<256x256xi32>
        %left = affine.load %table[255 - %step, %k] : memref<256x256xi32>
        %right = affine.load %table[%k + 1, %j] : memref<256x256xi32>
        %split = arith.addi %left, %right : i32
        %best = arith.maxsi %here, %split : i32
        affine.store %best, %table[255 - %step, %j] : memref<256x256xi32>
      }
    }
  }
  return
}
