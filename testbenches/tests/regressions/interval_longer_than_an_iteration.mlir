// A loop with a long interval that is entered again and again: a counter waits, and starts anew each time.
func.func @interval_longer_than_an_iteration(%a: memref<3x4xi32>, %b: memref<3xi32>, %n: i8) {
  affine.for %j = 0 to 3 {
    %start = affine.load %b[%j] : memref<3xi32>
    %sum = affine.for %i = 0 to 4 iter_args(%acc = %start) -> (i32) {
      %x = affine.load %a[%j, %i] : memref<3x4xi32>
      %product = arith.muli %x, %acc : i32
      %next = arith.addi %product, %x : i32
      affine.yield %next : i32
    }
    affine.store %sum, %b[%j] : memref<3xi32>
  }
  return
}
