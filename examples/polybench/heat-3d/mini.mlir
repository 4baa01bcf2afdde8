// Heat in a cube: an eighth of the second difference along each axis, rounded downwards, in every step.
func.func @kernel_heat_3d(%A: memref<10x10x10xi32>, %B: memref<10x10x10xi32>) {
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  affine.for %t = 0 to 20 {
    affine.for %i = 1 to 9 {
      affine.for %j = 1 to 9 {
        affine.for %k = 1 to 9 {
          %here = affine.load %A[%i, %j, %k] : memref<10x10x10xi32>
          %twice = arith.shli %here, %one : i32
          %i_after = affine.load %A[%i + 1, %j, %k] : memref<10x10x10xi32>
          %i_before = affine.load %A[%i - 1, %j, %k] : memref<10x10x10xi32>
          %i_difference = arith.subi %i_after, %twice : i32
          %i_curvature = arith.addi %i_difference, %i_before : i32
          %i_flow = arith.shrsi %i_curvature, %three : i32
          %j_after = affine.load %A[%i, %j + 1, %k] : memref<10x10x10xi32>
          %j_before = affine.load %A[%i, %j - 1, %k] : memref<10x10x10xi32>
          %j_difference = arith.subi %j_after, %twice : i32
          %j_curvature = arith.addi %j_difference, %j_before : i32
          %j_flow = arith.shrsi %j_curvature, %three : i32
          %k_after = affine.load %A[%i, %j, %k + 1] : memref<10x10x10xi32>
          %k_before = affine.load %A[%i, %j, %k - 1] : memref<10x10x10xi32>
          %k_difference = arith.subi %k_after, %twice : i32
          %k_curvature = arith.addi %k_difference, %k_before : i32
          %k_flow = arith.shrsi %k_curvature, %three : i32
          %ij_flow = arith.addi %i_flow, %j_flow : i32
          %flow = arith.addi %ij_flow, %k_flow : i32
          %new = arith.addi %flow, %here : i32
          affine.store %new, %B[%i, %j, %k] : memref<10x10x10xi32>
        }
      }
    }
    affine.for %i = 1 to 9 {
      affine.for %j = 1 to 9 {
        affine.for %k = 1 to 9 {
          %here = affine.load %B[%i, %j, %k] : memref<10x10x10xi32>
          %twice = arith.shli %here, %one : i32
          %i_after = affine.load %B[%i + 1, %j, %k] : memref<10x10x10xi32>
          %i_before = affine.load %B[%i - 1, %j, %k] : memref<10x10x10xi32>
          %i_difference = arith.subi %i_after, %twice : i32
          %i_curvature = arith.addi %i_difference, %i_before : i32
          %i_flow = arith.shrsi %i_curvature, %three : i32
          %j_after = affine.load %B[%i, %j + 1, %k] : memref<10x10x10xi32>
          %j_before = affine.load %B[%i, %j - 1, %k] : memref<10x10x10xi32>
          %j_difference = arith.subi %j_after, %twice : i32
          %j_curvature = arith.addi %j_difference, %j_before : i32
          %j_flow = arith.shrsi %j_curvature, %three : i32
          %k_after = affine.load %B[%i, %j, %k + 1] : memref<10x10x10xi32>
          %k_before = affine.load %B[%i, %j, %k - 1] : memref<10x10x10xi32>
          %k_difference = arith.subi %k_after, %twice : i32
          %k_curvature = arith.addi %k_difference, %k_before : i32
          %k_flow = arith.shrsi %k_curvature, %three : i32
          %ij_flow = arith.addi %i_flow, %j_flow : i32
          %flow = arith.addi %ij_flow, %k_flow : i32
          %new = arith.addi %flow, %here : i32
          affine.store %new, %A[%i, %j, %k] : memref<10x10x10xi32>
        }
      }
    }
  }
  return
}
