// Solves A x = b: A = L U without pivoting, then L y = b forwards and U x = y backwards.
func.func @kernel_ludcmp(%A: memref<8x8xi32>, %b: memref<8xi32>, %x: memref<8xi32>, %y: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(i) -> (i)>(%i) {
      %start = affine.load %A[%i, %j] : memref<8x8xi32>
      %rest = affine.for %k = 0 to affine_map<(j) -> (j)>(%j) iter_args(%w = %start) -> (i32) {
        %a_ik = affine.load %A[%i, %k] : memref<8x8xi32>
        %a_kj = affine.load %A[%k, %j] : memref<8x8xi32>
        %product = arith.muli %a_ik, %a_kj : i32
        %next = arith.subi %w, %product : i32
        affine.yield %next : i32
      }
      %pivot = affine.load %A[%j, %j] : memref<8x8xi32>
      %quotient = arith.divsi %rest, %pivot : i32
      affine.store %quotient, %A[%i, %j] : memref<8x8xi32>
    }
    affine.for %j = affine_map<(i) -> (i)>(%i) to 8 {
      %start = affine.load %A[%i, %j] : memref<8x8xi32>
      %rest = affine.for %k = 0 to affine_map<(i) -> (i)>(%i) iter_args(%w = %start) -> (i32) {
        %a_ik = affine.load %A[%i, %k] : memref<8x8xi32>
        %a_kj = affine.load %A[%k, %j] : memref<8x8xi32>
        %product = arith.muli %a_ik, %a_kj : i32
        %next = arith.subi %w, %product : i32
        affine.yield %next : i32
      }
      affine.store %rest, %A[%i, %j] : memref<8x8xi32>
    }
  }
  affine.for %i = 0 to 8 {
    %start = affine.load %b[%i] : memref<8xi32>
    %rest = affine.for %j = 0 to affine_map<(i) -> (i)>(%i) iter_args(%w = %start) -> (i32) {
      %a = affine.load %A[%i, %j] : memref<8x8xi32>
      %y_j = affine.load %y[%j] : memref<8xi32>
      %product = arith.muli %a, %y_j : i32
      %next = arith.subi %w, %product : i32
      affine.yield %next : i32
    }
    affine.store %rest, %y[%i] : memref<8xi32>
  }
  // From the last row to the first.
  affine.for %step = 0 to 8 {
    %start = affine.load %y[7 - %step] : memref<8xi32>
    %rest = affine.for %j = affine_map<(step) -> (8 - step)>(%step) to 8 iter_args(%w = %start) -> (i32) {
      %a = affine.load %A[7 - %step, %j] : memref<8x8xi32>
      %x_j = affine.load %x[%j] : memref<8xi32>
      %product = arith.muli %a, %x_j : i32
      %next = arith.subi %w, %product : i32
      affine.yield %next : i32
    }
    %pivot = affine.load %A[7 - %step, 7 - %step] : memref<8x8xi32>
    %quotient = arith.divsi %rest, %pivot : i32
    affine.store %quotient, %x[7 - %step] : memref<8xi32>
  }
  return
}
