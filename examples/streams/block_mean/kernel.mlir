// A fork and a join: of every word the mean of its block of eight is taken away. The words of a block wait until its mean is known.
func.func private @split(%x: memref<64xi32>, %direct: memref<64xi32>, %summed: memref<64xi32>) {
  affine.for %i = 0 to 64 {
    %a = affine.load %x[%i] : memref<64xi32>
    affine.store %a, %direct[%i] : memref<64xi32>
    affine.store %a, %summed[%i] : memref<64xi32>
  }
  return
}

func.func private @mean(%x: memref<64xi32>, %means: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  affine.for %b = 0 to 8 {
    %sum = affine.for %j = 0 to 8 iter_args(%acc = %zero) -> (i32) {
      %a = affine.load %x[%b * 8 + %j] : memref<64xi32>
      %next = arith.addi %acc, %a : i32
      affine.yield %next : i32
    }
    %mean = arith.shrsi %sum, %c3 : i32
    affine.store %mean, %means[%b] : memref<8xi32>
  }
  return
}

func.func private @less(%x: memref<64xi32>, %means: memref<8xi32>, %y: memref<64xi32>) {
  affine.for %b = 0 to 8 {
    %mean = affine.load %means[%b] : memref<8xi32>
    affine.for %j = 0 to 8 {
      %a = affine.load %x[%b * 8 + %j] : memref<64xi32>
      %d = arith.subi %a, %mean : i32
      affine.store %d, %y[%b * 8 + %j] : memref<64xi32>
    }
  }
  return
}

func.func @block_mean(%x: memref<64xi32>, %y: memref<64xi32>) {
  %direct = memref.alloc() : memref<64xi32>
  %summed = memref.alloc() : memref<64xi32>
  %means = memref.alloc() : memref<8xi32>
  call @split(%x, %direct, %summed) : (memref<64xi32>, memref<64xi32>, memref<64xi32>) -> ()
  call @mean(%summed, %means) : (memref<64xi32>, memref<8xi32>) -> ()
  call @less(%direct, %means, %y) : (memref<64xi32>, memref<8xi32>, memref<64xi32>) -> ()
  return
}
