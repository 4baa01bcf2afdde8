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

// The largest root whose square is at most the operand, both unsigned: one binary digit of the root in each round. The trial is the
// root so far with the digit below it; carrying it leaves only a comparison and a choice one after the other.
func.func private @square_root(%operand: i32) -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %highest = arith.constant 0x40000000 : i32
  %final:3 = affine.for %round = 0 to 16
      iter_args(%rest = %operand, %trial = %highest, %digit = %highest) -> (i32, i32, i32) {
    %fits = arith.cmpi uge, %rest, %trial : i32
    %less = arith.subi %rest, %trial : i32
    %next_rest = arith.select %fits, %less, %rest : i32
    %root = arith.xori %trial, %digit : i32
    %half = arith.shrui %root, %one : i32
    %next_digit = arith.shrui %digit, %two : i32
    %without = arith.ori %half, %next_digit : i32
    %with = arith.ori %without, %digit : i32
    %next_trial = arith.select %fits, %with, %without : i32
    affine.yield %next_rest, %next_trial, %next_digit : i32, i32, i32
  }
  return %final#1 : i32
}
