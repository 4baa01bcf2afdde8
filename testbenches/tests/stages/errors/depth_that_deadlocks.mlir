// config: {style: elastic, streams: [x, y], depths: {all: 2}}
// The words of a block wait until its sum is known.
func.func @centred(%x: memref<16xi16>, %y: memref<16xi16>) {
  %zero = arith.constant 0 : i16
  %all = memref.alloc() : memref<16xi16>
  %summed = memref.alloc() : memref<16xi16>
  %sums = memref.alloc() : memref<2xi16>
  affine.for %i = 0 to 16 {
    %a = affine.load %x[%i] : memref<16xi16>
    affine.store %a, %all[%i] : memref<16xi16>
    affine.store %a, %summed[%i] : memref<16xi16>
  }
  affine.for %b = 0 to 2 {
    %sum = affine.for %j = 0 to 8 iter_args(%acc = %zero) -> (i16) {
      %a = affine.load %summed[%b * 8 + %j] : memref<16xi16>
      %next = arith.addi %acc, %a : i16
      affine.yield %next : i16
    }
    affine.store %sum, %sums[%b] : memref<2xi16>
  }
  affine.for %b = 0 to 2 {
    %sum = affine.load %sums[%b] : memref<2xi16>
    affine.for %j = 0 to 8 {
      %a = affine.load %all[%b * 8 + %j] : memref<16xi16> //~ error: deadlock: with 2 slots of `all` these operations wait for one another
      %d = arith.subi %a, %sum : i16
      affine.store %d, %y[%b * 8 + %j] : memref<16xi16>
    }
  }
  return
}
