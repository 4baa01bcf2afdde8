// pipeline: builtin.module(func.func(int-range-optimizations))
func.func @constants(%a: i8) -> (i1, i1, i32) {
  %c = arith.constant 300 : i32
  %c8 = arith.constant 8 : i32
  %e = arith.extui %a : i8 to i32
  %0 = arith.cmpi ult, %e, %c : i32
  %1 = arith.cmpi sgt, %e, %c : i32
  %f = arith.shrui %e, %c8 : i32
  return %0, %1, %f : i1, i1, i32
}
// -----
func.func @remainders(%a: i8, %b: i32) -> (i32, i32, i32) {
  %c = arith.constant 256 : i32
  %d = arith.constant 512 : i32
  %e = arith.extui %a : i8 to i32
  %0 = arith.remui %e, %c : i32
  %1 = arith.remsi %e, %d : i32
  %2 = arith.remui %b, %c : i32
  return %0, %1, %2 : i32, i32, i32
}
// -----
func.func @loop(%m: memref<16xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %p = arith.cmpi slt, %i, %c32 : index
    %x = arith.select %p, %i, %c0 : index
    %q = arith.cmpi eq, %i, %c32 : index
    scf.if %q {
      memref.store %x, %m[%c0] : memref<16xindex>
    }
    %r = arith.remui %i, %c16 : index
    memref.store %r, %m[%i] : memref<16xindex>
    memref.store %x, %m[%i] : memref<16xindex>
  }
  return
}
// -----
func.func @minima(%a: i8) -> (i32, i32, i32) {
  %c = arith.constant 255 : i32
  %d = arith.constant 7 : i32
  %e = arith.extui %a : i8 to i32
  %0 = arith.minui %e, %c : i32
  %1 = arith.maxui %e, %d : i32
  %g = arith.andi %e, %d : i32
  %2 = arith.minsi %g, %d : i32
  return %0, %1, %2 : i32, i32, i32
}
// -----
func.func @joined(%p: i1) -> i1 {
  %a = arith.constant 3 : i32
  %b = arith.constant 9 : i32
  %c = arith.constant 10 : i32
  %r = scf.if %p -> i32 {
    scf.yield %a : i32
  } else {
    scf.yield %b : i32
  }
  %x = arith.cmpi ult, %r, %c : i32
  return %x : i1
}
// -----
func.func private @half(%x: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %0 = arith.shrui %x, %c1 : i32
  return %0 : i32
}
func.func @calls(%x: i32) -> i1 {
  %c0 = arith.constant 0 : i32
  %0 = call @half(%x) : (i32) -> i32
  %1 = arith.cmpi sge, %0, %c0 : i32
  return %1 : i1
}
// -----
func.func @unknown(%a: i32, %n: index) -> (i1, i32) {
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %0 = arith.andi %a, %c3 : i32
  %1 = arith.cmpi ult, %0, %c3 : i32
  %2 = arith.remui %0, %c4 : i32
  return %1, %2 : i1, i32
}
