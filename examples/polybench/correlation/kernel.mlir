// Correlation of the columns of `data`, which it also centres and normalises. Normalised data have 12 fractional bits,
// correlations 24. A column without deviation counts as one of deviation 1.
func.func @kernel_correlation(%float_n: i32, %data: memref<8x8xi32>, %corr: memref<8x8xi32>,
                              %mean: memref<8xi32>, %stddev: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %fraction_bits = arith.constant 12 : i32
  %unit = arith.constant 0x1000000 : i32
  affine.for %j = 0 to 8 {
    affine.store %zero, %mean[%j] : memref<8xi32>
    affine.for %i = 0 to 8 {
      %old = affine.load %mean[%j] : memref<8xi32>
      %value = affine.load %data[%i, %j] : memref<8x8xi32>
      %new = arith.addi %old, %value : i32
      affine.store %new, %mean[%j] : memref<8xi32>
    }
    %sum = affine.load %mean[%j] : memref<8xi32>
    %average = arith.divsi %sum, %float_n : i32
    affine.store %average, %mean[%j] : memref<8xi32>
  }
  affine.for %j = 0 to 8 {
    affine.store %zero, %stddev[%j] : memref<8xi32>
    affine.for %i = 0 to 8 {
      %old = affine.load %stddev[%j] : memref<8xi32>
      %value = affine.load %data[%i, %j] : memref<8x8xi32>
      %average = affine.load %mean[%j] : memref<8xi32>
      %difference = arith.subi %value, %average : i32
      %square = arith.muli %difference, %difference : i32
      %new = arith.addi %old, %square : i32
      affine.store %new, %stddev[%j] : memref<8xi32>
    }
    %sum = affine.load %stddev[%j] : memref<8xi32>
    %variance = arith.divsi %sum, %float_n : i32
    %root = func.call @square_root(%variance) : (i32) -> i32
    %constant_column = arith.cmpi eq, %root, %zero : i32
    %deviation = arith.select %constant_column, %one, %root : i32
    affine.store %deviation, %stddev[%j] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %value = affine.load %data[%i, %j] : memref<8x8xi32>
      %average = affine.load %mean[%j] : memref<8xi32>
      %difference = arith.subi %value, %average : i32
      %dividend = arith.shli %difference, %fraction_bits : i32
      %root = func.call @square_root(%float_n) : (i32) -> i32
      %deviation = affine.load %stddev[%j] : memref<8xi32>
      %divisor = arith.muli %root, %deviation : i32
      %normal = arith.divsi %dividend, %divisor : i32
      affine.store %normal, %data[%i, %j] : memref<8x8xi32>
    }
  }
  affine.for %i = 0 to 7 {
    affine.store %unit, %corr[%i, %i] : memref<8x8xi32>
    affine.for %j = affine_map<(i) -> (i + 1)>(%i) to 8 {
      affine.store %zero, %corr[%i, %j] : memref<8x8xi32>
      affine.for %k = 0 to 8 {
        %old = affine.load %corr[%i, %j] : memref<8x8xi32>
        %left = affine.load %data[%k, %i] : memref<8x8xi32>
        %right = affine.load %data[%k, %j] : memref<8x8xi32>
        %product = arith.muli %left, %right : i32
        %new = arith.addi %old, %product : i32
        affine.store %new, %corr[%i, %j] : memref<8x8xi32>
      }
      %total = affine.load %corr[%i, %j] : memref<8x8xi32>
      affine.store %total, %corr[%j, %i] : memref<8x8xi32>
    }
  }
  affine.store %unit, %corr[7, 7] : memref<8x8xi32>
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
