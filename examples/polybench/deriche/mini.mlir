// Deriche's recursive smoothing filter, first along the rows and then along the columns, each forwards and backwards.
// The coefficients have 12 fractional bits: a1 = k, a2 = k e^-t (t - 1), a3 = k e^-t (t + 1), a4 = -k e^-2t,
// b1 = 2 e^-t, b2 = -e^-2t, with k = (1 - e^-t)^2 / (1 + 2 t e^-t - e^-2t). The final factors c1 = c2 = 1 are left out.
func.func @kernel_deriche(%a1: i32, %a2: i32, %a3: i32, %a4: i32, %b1: i32, %b2: i32, %imgIn: memref<64x64xi32>,
                          %imgOut: memref<64x64xi32>, %y1: memref<64x64xi32>, %y2: memref<64x64xi32>) {
  %zero = arith.constant 0 : i32
  %fraction_bits = arith.constant 12 : i32
  affine.for %i = 0 to 64 {
    %last:3 = affine.for %j = 0 to 64
        iter_args(%x1 = %zero, %out1 = %zero, %out2 = %zero) -> (i32, i32, i32) {
      %x = affine.load %imgIn[%i, %j] : memref<64x64xi32>
      %tap1 = arith.muli %a1, %x : i32
      %tap2 = arith.muli %a2, %x1 : i32
      %back1 = arith.muli %b1, %out1 : i32
      %back2 = arith.muli %b2, %out2 : i32
      %taps = arith.addi %tap1, %tap2 : i32
      %partial = arith.addi %taps, %back1 : i32
      %total = arith.addi %partial, %back2 : i32
      %out = arith.shrsi %total, %fraction_bits : i32
      affine.store %out, %y1[%i, %j] : memref<64x64xi32>
      affine.yield %x, %out, %out1 : i32, i32, i32
    }
  }
  affine.for %i = 0 to 64 {
    %last:4 = affine.for %j = 0 to 64
        iter_args(%x1 = %zero, %x2 = %zero, %out1 = %zero, %out2 = %zero) -> (i32, i32, i32, i32) {
      %tap1 = arith.muli %a3, %x1 : i32
      %tap2 = arith.muli %a4, %x2 : i32
      %back1 = arith.muli %b1, %out1 : i32
      %back2 = arith.muli %b2, %out2 : i32
      %taps = arith.addi %tap1, %tap2 : i32
      %partial = arith.addi %taps, %back1 : i32
      %total = arith.addi %partial, %back2 : i32
      %out = arith.shrsi %total, %fraction_bits : i32
      affine.store %out, %y2[%i, 63 - %j] : memref<64x64xi32>
      %x = affine.load %imgIn[%i, 63 - %j] : memref<64x64xi32>
      affine.yield %x, %x1, %out, %out1 : i32, i32, i32, i32
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %forward = affine.load %y1[%i, %j] : memref<64x64xi32>
      %backward = affine.load %y2[%i, %j] : memref<64x64xi32>
      %sum = arith.addi %forward, %backward : i32
      affine.store %sum, %imgOut[%i, %j] : memref<64x64xi32>
    }
  }
  affine.for %j = 0 to 64 {
    %last:3 = affine.for %i = 0 to 64
        iter_args(%x1 = %zero, %out1 = %zero, %out2 = %zero) -> (i32, i32, i32) {
      %x = affine.load %imgOut[%i, %j] : memref<64x64xi32>
      %tap1 = arith.muli %a1, %x : i32
      %tap2 = arith.muli %a2, %x1 : i32
      %back1 = arith.muli %b1, %out1 : i32
      %back2 = arith.muli %b2, %out2 : i32
      %taps = arith.addi %tap1, %tap2 : i32
      %partial = arith.addi %taps, %back1 : i32
      %total = arith.addi %partial, %back2 : i32
      %out = arith.shrsi %total, %fraction_bits : i32
      affine.store %out, %y1[%i, %j] : memref<64x64xi32>
      affine.yield %x, %out, %out1 : i32, i32, i32
    }
  }
  affine.for %j = 0 to 64 {
    %last:4 = affine.for %i = 0 to 64
        iter_args(%x1 = %zero, %x2 = %zero, %out1 = %zero, %out2 = %zero) -> (i32, i32, i32, i32) {
      %tap1 = arith.muli %a3, %x1 : i32
      %tap2 = arith.muli %a4, %x2 : i32
      %back1 = arith.muli %b1, %out1 : i32
      %back2 = arith.muli %b2, %out2 : i32
      %taps = arith.addi %tap1, %tap2 : i32
      %partial = arith.addi %taps, %back1 : i32
      %total = arith.addi %partial, %back2 : i32
      %out = arith.shrsi %total, %fraction_bits : i32
      affine.store %out, %y2[63 - %i, %j] : memref<64x64xi32>
      %x = affine.load %imgOut[63 - %i, %j] : memref<64x64xi32>
      affine.yield %x, %x1, %out, %out1 : i32, i32, i32, i32
    }
  }
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %forward = affine.load %y1[%i, %j] : memref<64x64xi32>
      %backward = affine.load %y2[%i, %j] : memref<64x64xi32>
      %sum = arith.addi %forward, %backward : i32
      affine.store %sum, %imgOut[%i, %j] : memref<64x64xi32>
    }
  }
  return
}
