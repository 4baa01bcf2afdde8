// Finite differences in the time domain: electric field ex, ey and magnetic field hz. 0.7 is 179 / 256.
func.func @kernel_fdtd_2d(%ex: memref<20x30xi32>, %ey: memref<20x30xi32>, %hz: memref<20x30xi32>,
                          %fict: memref<20xi32>) {
  %one = arith.constant 1 : i32
  %eight = arith.constant 8 : i32
  %weight = arith.constant 179 : i32
  affine.for %t = 0 to 20 {
    affine.for %j = 0 to 30 {
      %edge = affine.load %fict[%t] : memref<20xi32>
      affine.store %edge, %ey[0, %j] : memref<20x30xi32>
    }
    affine.for %i = 1 to 20 {
      affine.for %j = 0 to 30 {
        %old = affine.load %ey[%i, %j] : memref<20x30xi32>
        %here = affine.load %hz[%i, %j] : memref<20x30xi32>
        %above = affine.load %hz[%i - 1, %j] : memref<20x30xi32>
        %difference = arith.subi %here, %above : i32
        %half = arith.shrsi %difference, %one : i32
        %new = arith.subi %old, %half : i32
        affine.store %new, %ey[%i, %j] : memref<20x30xi32>
      }
    }
    affine.for %i = 0 to 20 {
      affine.for %j = 1 to 30 {
        %old = affine.load %ex[%i, %j] : memref<20x30xi32>
        %here = affine.load %hz[%i, %j] : memref<20x30xi32>
        %left = affine.load %hz[%i, %j - 1] : memref<20x30xi32>
        %difference = arith.subi %here, %left : i32
        %half = arith.shrsi %difference, %one : i32
        %new = arith.subi %old, %half : i32
        affine.store %new, %ex[%i, %j] : memref<20x30xi32>
      }
    }
    affine.for %i = 0 to 19 {
      affine.for %j = 0 to 29 {
        %old = affine.load %hz[%i, %j] : memref<20x30xi32>
        %ex_right = affine.load %ex[%i, %j + 1] : memref<20x30xi32>
        %ex_here = affine.load %ex[%i, %j] : memref<20x30xi32>
        %ey_below = affine.load %ey[%i + 1, %j] : memref<20x30xi32>
        %ey_here = affine.load %ey[%i, %j] : memref<20x30xi32>
        %ex_change = arith.subi %ex_right, %ex_here : i32
        %partial = arith.addi %ex_change, %ey_below : i32
        %change = arith.subi %partial, %ey_here : i32
        %weighted = arith.muli %weight, %change : i32
        %part = arith.shrsi %weighted, %eight : i32
        %new = arith.subi %old, %part : i32
        affine.store %new, %hz[%i, %j] : memref<20x30xi32>
      }
    }
  }
  return
}
