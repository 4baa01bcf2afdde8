func.func @jac2(%A: memref<16xi32>, %n: index) -> i32 {
  %B = memref.alloc() : memref<16xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %v = memref.load %A[%i] : memref<16xi32>
    memref.store %v, %B[%i] : memref<16xi32>
  }
  %m = arith.remui %n, %c7 : index
  %r:3 = scf.for %t = %c0 to %m step %c2 iter_args(%cur = %A, %nxt = %B, %e = %c0) -> (memref<16xi32>, memref<16xi32>, index) {
    %q:2 = scf.for %u = %c0 to %t step %c1 iter_args(%x = %cur, %y = %nxt) -> (memref<16xi32>, memref<16xi32>) {
      %a = memref.load %x[%u] : memref<16xi32>
      %b = memref.load %y[%t] : memref<16xi32>
      %s = arith.muli %a, %b : i32
      memref.store %s, %y[%u] : memref<16xi32>
      scf.yield %y, %x : memref<16xi32>, memref<16xi32>
    }
    %f = arith.addi %e, %t : index
    scf.yield %q#1, %q#0, %f : memref<16xi32>, memref<16xi32>, index
  }
  %w = arith.andi %r#2, %c7 : index
  %v = memref.load %r#0[%w] : memref<16xi32>
  return %v : i32
}
