// Arrays of two open dimensions go through casts, views, conditionals and calls; `memref.dim` gives the sizes.
func.func private @scale(%x: memref<?x?xi32>, %f: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = memref.dim %x, %c0 : memref<?x?xi32>
  %w = memref.dim %x, %c1 : memref<?x?xi32>
  scf.for %i = %c0 to %h step %c1 {
    scf.for %j = %c0 to %w step %c1 {
      %v = memref.load %x[%i, %j] : memref<?x?xi32>
      %s = arith.muli %v, %f : i32
      memref.store %s, %x[%i, %j] : memref<?x?xi32>
    }
  }
  return
}
func.func @top(%A: memref<?x4xi32>, %B: memref<?x?xi32>, %V: memref<?xi32>, %f: i32, %c: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.cast %A : memref<?x4xi32> to memref<?x?xi32>
  func.call @scale(%a, %f) : (memref<?x?xi32>, i32) -> ()
  func.call @scale(%B, %f) : (memref<?x?xi32>, i32) -> ()
  %n = memref.dim %V, %c0 : memref<?xi32>
  %s = memref.subview %B[1, 1] [2, 2] [1, 1] : memref<?x?xi32> to memref<2x2xi32, strided<[?, 1], offset: ?>>
  %one = memref.load %s[%c0, %c1] : memref<2x2xi32, strided<[?, 1], offset: ?>>
  %z = arith.constant 0 : i32
  %m = scf.if %c -> (memref<?x?xi32>) { scf.yield %a : memref<?x?xi32> } else { scf.yield %B : memref<?x?xi32> }
  %q = memref.load %m[%c1, %c2] : memref<?x?xi32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%t = %z) -> (i32) {
    %v = memref.load %V[%i] : memref<?xi32>
    %u = arith.addi %t, %v : i32
    scf.yield %u : i32
  }
  %r0 = arith.addi %sum, %one : i32
  %r1 = arith.addi %r0, %q : i32
  return %r1 : i32
}
