// A = Q R by the modified Gram-Schmidt process: the columns of Q are orthogonal, R is upper triangular.
func.func @kernel_gramschmidt(%A: memref<8x12xi32>, %R: memref<12x12xi32>, %Q: memref<8x12xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %k = 0 to 12 {
    %norm = affine.for %i = 0 to 8 iter_args(%partial = %zero) -> (i32) {
      %a = affine.load %A[%i, %k] : memref<8x12xi32>
      %square = arith.muli %a, %a : i32
      %next = arith.addi %partial, %square : i32
      affine.yield %next : i32
    }
    %root = func.call @square_root(%norm) : (i32) -> i32
    affine.store %root, %R[%k, %k] : memref<12x12xi32>
    affine.for %i = 0 to 8 {
      %a = affine.load %A[%i, %k] : memref<8x12xi32>
      %r = affine.load %R[%k, %k] : memref<12x12xi32>
      %quotient = arith.divsi %a, %r : i32
      affine.store %quotient, %Q[%i, %k] : memref<8x12xi32>
    }
    affine.for %j = affine_map<(k) -> (k + 1)>(%k) to 12 {
      affine.store %zero, %R[%k, %j] : memref<12x12xi32>
      affine.for %i = 0 to 8 {
        %old = affine.load %R[%k, %j] : memref<12x12xi32>
        %q = affine.load %Q[%i, %k] : memref<8x12xi32>
        %a = affine.load %A[%i, %j] : memref<8x12xi32>
        %product = arith.muli %q, %a : i32
        %new = arith.addi %old, %product : i32
        affine.store %new, %R[%k, %j] : memref<12x12xi32>
      }
      affine.for %i = 0 to 8 {
        %old = affine.load %A[%i, %j] : memref<8x12xi32>
        %q = affine.load %Q[%i, %k] : memref<8x12xi32>
        %r = affine.load %R[%k, %j] : memref<12x12xi32>
        %product = arith.muli %q, %r : i32
        %new = arith.subi %old, %product : i32
        affine.store %new, %A[%i, %j] : memref<8x12xi32>
      }
    }
  }
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
