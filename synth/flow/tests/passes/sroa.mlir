// pipeline: builtin.module(func.func(sroa))
func.func @basic(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<2xi32>
  memref.store %x, %m[%c0] : memref<2xi32>
  memref.store %x, %m[%c1] : memref<2xi32>
  %v = memref.load %m[%c0] : memref<2xi32>
  return %v : i32
}
// -----
func.func @two_dims(%x: i32, %y: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.alloca() : memref<2x3xi32>
  memref.store %x, %m[%c1, %c2] : memref<2x3xi32>
  memref.store %y, %m[%c0, %c0] : memref<2x3xi32>
  %v = memref.load %m[%c1, %c2] : memref<2x3xi32>
  %w = memref.load %m[%c0, %c1] : memref<2x3xi32>
  %s = arith.addi %v, %w : i32
  return %s : i32
}
// -----
func.func @unknown_index(%x: i32, %i: index) -> i32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<2xi32>
  memref.store %x, %m[%c0] : memref<2xi32>
  %v = memref.load %m[%i] : memref<2xi32>
  return %v : i32
}
// -----
func.func @escapes(%x: i32) {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<2xi32>
  memref.store %x, %m[%c0] : memref<2xi32>
  "demo.use"(%m) : (memref<2xi32>) -> ()
  return
}
// -----
func.func @large(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c19 = arith.constant 19 : index
  %m = memref.alloca() : memref<20xi32>
  memref.store %x, %m[%c0] : memref<20xi32>
  %v = memref.load %m[%c19] : memref<20xi32>
  return %v : i32
}
// -----
func.func @sixteen(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c15 = arith.constant 15 : index
  %m = memref.alloca() : memref<16xi32>
  memref.store %x, %m[%c0] : memref<16xi32>
  %v = memref.load %m[%c15] : memref<16xi32>
  return %v : i32
}
// -----
func.func @in_loop(%x: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloca() : memref<2xi32>
  memref.store %x, %m[%c0] : memref<2xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %m[%c0] : memref<2xi32>
    memref.store %v, %m[%c1] : memref<2xi32>
    %k = memref.alloca() : memref<2xi32>
    memref.store %v, %k[%c1] : memref<2xi32>
    %o = memref.load %k[%c1] : memref<2xi32>
    memref.store %o, %m[%c0] : memref<2xi32>
  }
  %w = memref.load %m[%c1] : memref<2xi32>
  return %w : i32
}
// -----
func.func @others(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<2xi32>
  memref.store %x, %m[%c0] : memref<2xi32>
  %v = memref.load %m[%c0] : memref<2xi32>
  %u = memref.alloca() : memref<2xi32>
  affine.store %x, %u[0] : memref<2xi32>
  %w = affine.load %u[0] : memref<2xi32>
  %e = memref.alloca() : memref<i32>
  memref.store %x, %e[] : memref<i32>
  %f = memref.load %e[] : memref<i32>
  %h = memref.alloca() : memref<2x3xi32>
  %out = arith.constant 7 : index
  memref.store %x, %h[%c0, %out] : memref<2x3xi32>
  %s = arith.addi %v, %w : i32
  %t = arith.addi %s, %f : i32
  return %t : i32
}
