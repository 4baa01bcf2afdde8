// One memory or another, by conditions and by blocks, read and written and copied.
func.func @memories_that_are_chosen(%A: memref<8xi32>, %B: memref<8xi32>, %C: memref<8xi32>, %p: i1, %q: i1, %n: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %i0 = arith.constant 0 : index
  %i5 = arith.constant 5 : index
  %m = arith.select %p, %A, %B : memref<8xi32>
  %k = scf.if %q -> memref<8xi32> {
    scf.yield %m : memref<8xi32>
  } else {
    scf.yield %C : memref<8xi32>
  }
  %s = affine.for %i = 0 to 8 iter_args(%all = %c0) -> i32 {
    %v = affine.load %k[%i] : memref<8xi32>
    %w = affine.load %m[7 - %i] : memref<8xi32>
    %x = arith.addi %v, %w : i32
    %y = arith.addi %x, %all : i32
    affine.store %y, %k[%i] : memref<8xi32>
    affine.yield %y : i32
  }
  memref.copy %k, %m : memref<8xi32> to memref<8xi32>
  %turns = arith.andi %n, %c7 : i32
  %r:3 = scf.while (%x = %A, %y = %k, %left = %turns) : (memref<8xi32>, memref<8xi32>, i32) -> (memref<8xi32>, memref<8xi32>, i32) {
    %go = arith.cmpi sgt, %left, %c0 : i32
    scf.condition(%go) %x, %y, %left : memref<8xi32>, memref<8xi32>, i32
  } do {
  ^bb0(%x: memref<8xi32>, %y: memref<8xi32>, %left: i32):
    %v = memref.load %x[%i5] : memref<8xi32>
    %w = arith.addi %v, %left : i32
    memref.store %w, %y[%i0] : memref<8xi32>
    memref.store %v, %y[%i5] : memref<8xi32>
    %next = arith.subi %left, %c1 : i32
    scf.yield %y, %x, %next : memref<8xi32>, memref<8xi32>, i32
  }
  %f = memref.load %r#0[%i0] : memref<8xi32>
  return %s, %f : i32, i32
}
