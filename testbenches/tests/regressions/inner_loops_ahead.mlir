// First inner loops run an iteration ahead: in a triangle that may be empty, with stores in them, and not where they read what the
// iteration before wrote.
func.func @inner_loops_ahead(%a: memref<64xi32>, %b: memref<64xi32>, %c: memref<16xi32>, %d: memref<64xi32>, %k: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  affine.for %n = 0 to 6 {
    affine.for %i = 0 to 4 {
      %u = affine.load %b[%n * 8 + %i] : memref<64xi32>
      %d0 = arith.ori %u, %three : i32
      %q = arith.divui %k, %d0 : i32
      affine.store %q, %b[%n * 8 + %i] : memref<64xi32>
    }
    affine.for %j = affine_map<(n) -> (n + 1)>(%n) to 6 {
      %sum = affine.for %i = 0 to 5 iter_args(%partial = %zero) -> (i32) {
        %x = affine.load %a[%i * 8 + %j] : memref<64xi32>
        %y = affine.load %b[%i * 8 + %n] : memref<64xi32>
        %product = arith.muli %x, %y : i32
        %next = arith.addi %partial, %product : i32
        affine.yield %next : i32
      }
      affine.store %sum, %c[%j] : memref<16xi32>
      affine.for %i = 0 to 5 {
        %x = affine.load %a[%i * 8 + %j] : memref<64xi32>
        %y = affine.load %b[%i * 8 + %n] : memref<64xi32>
        %product = arith.muli %sum, %y : i32
        %new = arith.subi %x, %product : i32
        affine.store %new, %a[%i * 8 + %j] : memref<64xi32>
      }
    }
  }
  // The sum of the next row needs what this row leaves.
  affine.for %i = 0 to 5 {
    %sum = affine.for %j = 0 to 4 iter_args(%partial = %zero) -> (i32) {
      %x = affine.load %b[%i * 8 + %j] : memref<64xi32>
      %product = arith.muli %x, %k : i32
      %next = arith.addi %partial, %product : i32
      affine.yield %next : i32
    }
    affine.for %j = 0 to 4 {
      %x = affine.load %b[%i * 8 + %j] : memref<64xi32>
      %product = arith.muli %x, %sum : i32
      affine.store %product, %b[%i * 8 + %j + 8] : memref<64xi32>
    }
  }
  // The sum of the row behind the next one does, and a value goes from row to row.
  %last = affine.for %i = 0 to 5 iter_args(%carried = %k) -> (i32) {
    %first = affine.load %d[%i * 7] : memref<64xi32>
    %sum = affine.for %j = 0 to 4 iter_args(%partial = %first) -> (i32) {
      %x = affine.load %d[%i * 8 + %j] : memref<64xi32>
      %product = arith.muli %x, %k : i32
      %next = arith.addi %partial, %product : i32
      affine.store %next, %a[%i * 8 + %j] : memref<64xi32>
      affine.yield %next : i32
    }
    affine.for %j = 0 to 4 {
      %x = affine.load %a[%i * 8 + %j] : memref<64xi32>
      %product = arith.muli %x, %sum : i32
      affine.store %product, %d[%i * 8 + %j + 16] : memref<64xi32>
    }
    %new = arith.xori %carried, %sum : i32
    affine.yield %new : i32
  }
  return %last : i32
}
