// Diffusion by alternating directions: implicit along the columns from u to v, then along the rows from v to u.
// u, v, p and q have 10 fractional bits. Grid and time have extent 1, and the coefficients are whole numbers:
// a = -N^2 / TSTEPS, b = 1 - 2 a, d = -N^2 / (2 TSTEPS), e = 1 - 2 d.
func.func @kernel_adi(%u: memref<8x8xi32>, %v: memref<8x8xi32>, %p: memref<8x8xi32>, %q: memref<8x8xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1024 : i32
  %fraction_bits = arith.constant 10 : i32
  %twice_fraction_bits = arith.constant 20 : i32
  %a = arith.constant -32 : i32
  %minus_a = arith.constant 32 : i32
  // b and e are added to a product with ten fractional bits.
  %b = arith.constant 66560 : i32
  %d = arith.constant -16 : i32
  %minus_d = arith.constant 16 : i32
  %e = arith.constant 33792 : i32
  // 1 + 2 a and 1 + 2 d.
  %one_2a = arith.constant -63 : i32
  %one_2d = arith.constant -31 : i32
  affine.for %t = 0 to 2 {
    affine.for %i = 1 to 7 {
      affine.store %one, %v[0, %i] : memref<8x8xi32>
      affine.store %zero, %p[%i, 0] : memref<8x8xi32>
      %start = affine.load %v[0, %i] : memref<8x8xi32>
      affine.store %start, %q[%i, 0] : memref<8x8xi32>
      affine.for %j = 1 to 7 {
        %p_before = affine.load %p[%i, %j - 1] : memref<8x8xi32>
        %p_scaled = arith.muli %a, %p_before : i32
        %divisor = arith.addi %p_scaled, %b : i32
        %p_dividend = arith.shli %minus_a, %twice_fraction_bits : i32
        %p_new = arith.divsi %p_dividend, %divisor : i32
        affine.store %p_new, %p[%i, %j] : memref<8x8xi32>
        %before = affine.load %u[%j, %i - 1] : memref<8x8xi32>
        %here = affine.load %u[%j, %i] : memref<8x8xi32>
        %after = affine.load %u[%j, %i + 1] : memref<8x8xi32>
        %q_before = affine.load %q[%i, %j - 1] : memref<8x8xi32>
        %before_scaled = arith.muli %minus_d, %before : i32
        %here_scaled = arith.muli %one_2d, %here : i32
        %after_scaled = arith.muli %d, %after : i32
        %q_scaled = arith.muli %a, %q_before : i32
        %sum1 = arith.addi %before_scaled, %here_scaled : i32
        %sum2 = arith.subi %sum1, %after_scaled : i32
        %sum3 = arith.subi %sum2, %q_scaled : i32
        %q_dividend = arith.shli %sum3, %fraction_bits : i32
        %q_new = arith.divsi %q_dividend, %divisor : i32
        affine.store %q_new, %q[%i, %j] : memref<8x8xi32>
      }
      affine.store %one, %v[7, %i] : memref<8x8xi32>
      // From the last inner cell to the first.
      affine.for %j = 1 to 7 {
        %p_here = affine.load %p[%i, 7 - %j] : memref<8x8xi32>
        %following = affine.load %v[8 - %j, %i] : memref<8x8xi32>
        %product = arith.muli %p_here, %following : i32
        %part = arith.shrsi %product, %fraction_bits : i32
        %q_here = affine.load %q[%i, 7 - %j] : memref<8x8xi32>
        %new = arith.addi %part, %q_here : i32
        affine.store %new, %v[7 - %j, %i] : memref<8x8xi32>
      }
    }
    affine.for %i = 1 to 7 {
      affine.store %one, %u[%i, 0] : memref<8x8xi32>
      affine.store %zero, %p[%i, 0] : memref<8x8xi32>
      %start = affine.load %u[%i, 0] : memref<8x8xi32>
      affine.store %start, %q[%i, 0] : memref<8x8xi32>
      affine.for %j = 1 to 7 {
        %p_before = affine.load %p[%i, %j - 1] : memref<8x8xi32>
        %p_scaled = arith.muli %d, %p_before : i32
        %divisor = arith.addi %p_scaled, %e : i32
        %p_dividend = arith.shli %minus_d, %twice_fraction_bits : i32
        %p_new = arith.divsi %p_dividend, %divisor : i32
        affine.store %p_new, %p[%i, %j] : memref<8x8xi32>
        %before = affine.load %v[%i - 1, %j] : memref<8x8xi32>
        %here = affine.load %v[%i, %j] : memref<8x8xi32>
        %after = affine.load %v[%i + 1, %j] : memref<8x8xi32>
        %q_before = affine.load %q[%i, %j - 1] : memref<8x8xi32>
        %before_scaled = arith.muli %minus_a, %before : i32
        %here_scaled = arith.muli %one_2a, %here : i32
        %after_scaled = arith.muli %a, %after : i32
        %q_scaled = arith.muli %d, %q_before : i32
        %sum1 = arith.addi %before_scaled, %here_scaled : i32
        %sum2 = arith.subi %sum1, %after_scaled : i32
        %sum3 = arith.subi %sum2, %q_scaled : i32
        %q_dividend = arith.shli %sum3, %fraction_bits : i32
        %q_new = arith.divsi %q_dividend, %divisor : i32
        affine.store %q_new, %q[%i, %j] : memref<8x8xi32>
      }
      affine.store %one, %u[%i, 7] : memref<8x8xi32>
      // From the last inner cell to the first.
      affine.for %j = 1 to 7 {
        %p_here = affine.load %p[%i, 7 - %j] : memref<8x8xi32>
        %following = affine.load %u[%i, 8 - %j] : memref<8x8xi32>
        %product = arith.muli %p_here, %following : i32
        %part = arith.shrsi %product, %fraction_bits : i32
        %q_here = affine.load %q[%i, 7 - %j] : memref<8x8xi32>
        %new = arith.addi %part, %q_here : i32
        affine.store %new, %u[%i, 7 - %j] : memref<8x8xi32>
      }
    }
  }
  return
}
