// Both buffers are halves of one memory.
func.func @halves_that_take_turns(%A: memref<32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %lo = memref.subview %A[0] [16] [1] : memref<32xi32> to memref<16xi32, strided<[1], offset: 0>>
  %hi = memref.subview %A[16] [16] [1] : memref<32xi32> to memref<16xi32, strided<[1], offset: 16>>
  %l = memref.cast %lo : memref<16xi32, strided<[1], offset: 0>> to memref<16xi32, strided<[1], offset: ?>>
  %h = memref.cast %hi : memref<16xi32, strided<[1], offset: 16>> to memref<16xi32, strided<[1], offset: ?>>
  %r:2 = scf.for %t = %c0 to %c4 step %c1 iter_args(%x = %l, %y = %h) -> (memref<16xi32, strided<[1], offset: ?>>, memref<16xi32, strided<[1], offset: ?>>) {
    scf.for %i = %c0 to %c16 step %c1 {
      %v = memref.load %x[%i] : memref<16xi32, strided<[1], offset: ?>>
      %w = arith.addi %v, %v : i32
      memref.store %w, %y[%i] : memref<16xi32, strided<[1], offset: ?>>
    }
    scf.yield %y, %x : memref<16xi32, strided<[1], offset: ?>>, memref<16xi32, strided<[1], offset: ?>>
  }
  return
}
