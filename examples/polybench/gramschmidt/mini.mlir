// A = Q R by the modified Gram-Schmidt process: the columns of Q are orthogonal, R is upper triangular.
func.func @kernel_gramschmidt(%A: memref<20x30xi32>, %R: memref<30x30xi32>, %Q: memref<20x30xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %k = 0 to 30 {
    %norm = affine.for %i = 0 to 20 iter_args(%partial = %zero) -> (i32) {
      %a = affine.load %A[%i, %k] : memref<20x30xi32>
      %square = arith.muli %a, %a : i32
      %next = arith.addi %partial, %square : i32
      affine.yield %next : i32
    }
    %root = func.call @square_root(%norm) : (i32) -> i32
    affine.store %root, %R[%k, %k] : memref<30x30xi32>
    affine.for %i = 0 to 20 {
      %a = affine.load %A[%i, %k] : memref<20x30xi32>
      %r = affine.load %R[%k, %k] : memref<30x30xi32>
      %quotient = arith.divsi %a, %r : i32
      affine.store %quotient, %Q[%i, %k] : memref<20x30xi32>
    }
    affine.for %j = affine_map<(k) -> (k + 1)>(%k) to 30 {
      affine.store %zero, %R[%k, %j] : memref<30x30xi32>
      affine.for %i = 0 to 20 {
        %old = affine.load %R[%k, %j] : memref<30x30xi32>
        %q = affine.load %Q[%i, %k] : memref<20x30xi32>
        %a = affine.load %A[%i, %j] : memref<20x30xi32>
        %product = arith.muli %q, %a : i32
        %new = arith.addi %old, %product : i32
        affine.store %new, %R[%k, %j] : memref<30x30xi32>
      }
      affine.for %i = 0 to 20 {
        %old = affine.load %A[%i, %j] : memref<20x30xi32>
        %q = affine.load %Q[%i, %k] : memref<20x30xi32>
        %r = affine.load %R[%k, %j] : memref<30x30xi32>
        %product = arith.muli %q, %r : i32
        %new = arith.subi %old, %product : i32
        affine.store %new, %A[%i, %j] : memref<20x30xi32>
      }
    }
  }
  return
}

// The largest root whose square is at most the operand, both unsigned: one binary digit of the root in each round. The rest is not
// restored: where it is negative, the next round adds (4 root + 3) instead of subtracting (4 root + 1), which is adding 4 not(root) + 3.
// The root is kept inverted, so that the sign of the rest is its next digit.
func.func private @square_root(%operand: i32) -> i32 {
  %no_rest = arith.constant 0 : i18
  %inverted_zero = arith.constant -1 : i16
  %last_bits = arith.constant 3 : i18
  %one = arith.constant 1 : i16
  %two = arith.constant 2 : i18
  %sign_place = arith.constant 17 : i18
  %two_digits = arith.constant 2 : i32
  %all_but_two = arith.constant 30 : i32
  %final:3 = affine.for %round = 0 to 16
      iter_args(%rest = %no_rest, %inverted = %inverted_zero, %digits = %operand) -> (i18, i16, i32) {
    %leading = arith.shrui %digits, %all_but_two : i32
    %next_digits = arith.shli %digits, %two_digits : i32
    %leading_bits = arith.trunci %leading : i32 to i18
    %rest_moved = arith.shli %rest, %two : i18
    %rest_so_far = arith.ori %rest_moved, %leading_bits : i18
    %signs = arith.shrsi %rest, %sign_place : i18
    %turn = arith.trunci %signs : i18 to i16
    %root_or_not = arith.xori %inverted, %turn : i16
    %wide = arith.extui %root_or_not : i16 to i18
    %moved = arith.shli %wide, %two : i18
    %change = arith.ori %moved, %last_bits : i18
    %next_rest = arith.addi %rest_so_far, %change : i18
    %sign = arith.shrui %next_rest, %sign_place : i18
    %digit = arith.trunci %sign : i18 to i16
    %inverted_moved = arith.shli %inverted, %one : i16
    %next_inverted = arith.ori %inverted_moved, %digit : i16
    affine.yield %next_rest, %next_inverted, %next_digits : i18, i16, i32
  }
  %all = arith.constant -1 : i16
  %root = arith.xori %final#1, %all : i16
  %result = arith.extui %root : i16 to i32
  return %result : i32
}
