// Solves A x = b: A = L U without pivoting, then L y = b forwards and U x = y backwards.
func.func @kernel_ludcmp(%A: memref<40x40xi32>, %b: memref<40xi32>, %x: memref<40xi32>, %y: memref<40xi32>) {
  affine.for %i = 0 to 40 {
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      %start = affine.load %A[%i, %j] : memref<40x40xi32>
      %rest = affine.for %k = 0 to affine_map<(j) -> (j)>(%j) iter_args(%w = %start) -> (i32) {
        %a_ik = affine.load %A[%i, %k] : memref<40x40xi32>
        %a_kj = affine.load %A[%k, %j] : memref<40x40xi32>
        %product = arith.muli %a_ik, %a_kj : i32
        %next = arith.subi %w, %product : i32
        affine.yield %next : i32
      }
      %pivot = affine.load %A[%j, %j] : memref<40x40xi32>
      %quotient = arith.divsi %rest, %pivot : i32
      affine.store %quotient, %A[%i, %j] : memref<40x40xi32>
    }
    affine.for %j = affine_map<(i) -> (i)>(%i) to 40 {
      %start = affine.load %A[%i, %j] : memref<40x40xi32>
      %rest = affine.for %k = 0 to affine_map<(i) -> (i)>(%i) iter_args(%w = %start) -> (i32) {
        %a_ik = affine.load %A[%i, %k] : memref<40x40xi32>
        %a_kj = affine.load %A[%k, %j] : memref<40x40xi32>
        %product = arith.muli %a_ik, %a_kj : i32
        %next = arith.subi %w, %product : i32
        affine.yield %next : i32
      }
      affine.store %rest, %A[%i, %j] : memref<40x40xi32>
    }
  }
  affine.for %i = 0 to 40 {
    %start = affine.load %b[%i] : memref<40xi32>
    %rest = affine.for %j = 0 to affine_map<(i) -> (i)>(%i) iter_args(%w = %start) -> (i32) {
      %a = affine.load %A[%i, %j] : memref<40x40xi32>
      %y_j = affine.load %y[%j] : memref<40xi32>
      %product = arith.muli %a, %y_j : i32
      %next = arith.subi %w, %product : i32
      affine.yield %next : i32
    }
    affine.store %rest, %y[%i] : memref<40xi32>
  }
  // From the last row to the first.
  affine.for %step = 0 to 40 {
    %start = affine.load %y[39 - %step] : memref<40xi32>
    %rest = affine.for %j = affine_map<(step) -> (40 - step)>(%step) to 40 iter_args(%w = %start) -> (i32) {
      %a = affine.load %A[39 - %step, %j] : memref<40x40xi32>
      %x_j = affine.load %x[%j] : memref<40xi32>
      %product = arith.muli %a, %x_j : i32
      %next = arith.subi %w, %product : i32
      affine.yield %next : i32
    }
    %pivot = affine.load %A[39 - %step, 39 - %step] : memref<40x40xi32>
    %quotient = arith.divsi %rest, %pivot : i32
    affine.store %quotient, %x[39 - %step] : memref<40xi32>
  }
  return
}
