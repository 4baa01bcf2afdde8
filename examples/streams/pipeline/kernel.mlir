// Three tasks in a row: words are scaled, filtered, and summed in rows of eight.
func.func private @scale(%x: memref<8x8xi32>, %gain: i32, %y: memref<8x8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %a = affine.load %x[%i, %j] : memref<8x8xi32>
      %b = arith.muli %a, %gain : i32
      affine.store %b, %y[%i, %j] : memref<8x8xi32>
    }
  }
  return
}

func.func private @fir(%x: memref<8x8xi32>, %y: memref<8x8xi32>) {
  %zero = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %c9 = arith.constant 9 : i32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 iter_args(%a = %zero, %b = %zero) -> (i32, i32) {
      %c = affine.load %x[%i, %j] : memref<8x8xi32>
      %p = arith.muli %a, %c7 : i32
      %q = arith.muli %b, %c9 : i32
      %s = arith.addi %p, %q : i32
      %t = arith.addi %s, %c : i32
      affine.store %t, %y[%i, %j] : memref<8x8xi32>
      affine.yield %b, %c : i32, i32
    }
  }
  return
}

func.func private @rows(%x: memref<8x8xi32>, %sums: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 8 {
    %sum = affine.for %j = 0 to 8 iter_args(%acc = %zero) -> (i32) {
      %a = affine.load %x[%i, %j] : memref<8x8xi32>
      %next = arith.addi %acc, %a : i32
      affine.yield %next : i32
    }
    affine.store %sum, %sums[%i] : memref<8xi32>
  }
  return
}

func.func @pipeline(%x: memref<8x8xi32>, %gain: i32, %sums: memref<8xi32>) {
  %scaled = memref.alloc() : memref<8x8xi32>
  %filtered = memref.alloc() : memref<8x8xi32>
  call @scale(%x, %gain, %scaled) : (memref<8x8xi32>, i32, memref<8x8xi32>) -> ()
  call @fir(%scaled, %filtered) : (memref<8x8xi32>, memref<8x8xi32>) -> ()
  call @rows(%filtered, %sums) : (memref<8x8xi32>, memref<8xi32>) -> ()
  return
}
