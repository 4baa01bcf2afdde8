// A = L L^T, with L lower triangular written over A.
func.func @kernel_cholesky(%A: memref<8x8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      affine.for %k = 0 to affine_map<(j) -> (j)>(%j) {
        %old = affine.load %A[%i, %j] : memref<8x8xi32>
        %a_ik = affine.load %A[%i, %k] : memref<8x8xi32>
        %a_jk = affine.load %A[%j, %k] : memref<8x8xi32>
        %product = arith.muli %a_ik, %a_jk : i32
        %new = arith.subi %old, %product : i32
        affine.store %new, %A[%i, %j] : memref<8x8xi32>
      }
      %a_ij = affine.load %A[%i, %j] : memref<8x8xi32>
      %a_jj = affine.load %A[%j, %j] : memref<8x8xi32>
      %quotient = arith.divsi %a_ij, %a_jj : i32
      affine.store %quotient, %A[%i, %j] : memref<8x8xi32>
    }
    affine.for %k = 0 to affine_map<(i) -> (i)>(%i) {
      %old = affine.load %A[%i, %i] : memref<8x8xi32>
      %a_ik = affine.load %A[%i, %k] : memref<8x8xi32>
      %square = arith.muli %a_ik, %a_ik : i32
      %new = arith.subi %old, %square : i32
      affine.store %new, %A[%i, %i] : memref<8x8xi32>
    }
    %a_ii = affine.load %A[%i, %i] : memref<8x8xi32>
    %root = func.call @square_root(%a_ii) : (i32) -> i32
    affine.store %root, %A[%i, %i] : memref<8x8xi32>
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
