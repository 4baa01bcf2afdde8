// A nest whose steps, first counters and last iterations depend on the counters of two loops around, which the division keeps apart.
func.func @nest_in_loops(%a: memref<64xi32>, %b: memref<64xi32>, %k: i32) {
  %three = arith.constant 3 : i32
  affine.for %n = 0 to 5 {
    affine.for %m = affine_map<(n) -> (n)>(%n) to 6 step 2 {
      affine.for %i = 0 to 4 {
        %u = affine.load %b[%n * 8 + %i] : memref<64xi32>
        %d = arith.ori %u, %three : i32
        %q = arith.divui %k, %d : i32
        affine.store %q, %b[%n * 8 + %i] : memref<64xi32>
      }
      affine.for %i = affine_map<(n, m) -> (m - n)>(%n, %m) to affine_map<(n) -> (n + 3)>(%n) {
        %v = affine.load %b[%i * 6 + %m] : memref<64xi32>
        affine.for %j = affine_map<(i) -> (i)>(%i) to affine_map<(m) -> (m + 2)>(%m) {
          %x = affine.load %a[%i * 7 + %j] : memref<64xi32>
          %y = arith.muli %x, %k : i32
          %z = arith.addi %y, %v : i32
          affine.store %z, %a[%i * 7 + %j] : memref<64xi32>
        }
      }
    }
  }
  return
}
