// pipeline: builtin.module(scf-parallel-loop-fusion)
func.func @two(%a: memref<8x6xf32>, %b: memref<8x6xf32>, %c: memref<8x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c6) step (%c1, %c1) {
    %x = memref.load %a[%i, %j] : memref<8x6xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %b[%i, %j] : memref<8x6xf32>
    scf.reduce
  }
  %c2 = arith.constant 2 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c6) step (%c1, %c1) {
    %x = memref.load %b[%i, %j] : memref<8x6xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %c[%i, %j] : memref<8x6xf32>
    scf.reduce
  }
  return
}
// -----
func.func @shifted(%a: memref<8xf32>, %b: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = arith.addi %i, %c1 : index
    memref.store %v, %a[%k] : memref<8xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = arith.addi %i, %c1 : index
    %x = memref.load %a[%k] : memref<8xf32>
    memref.store %x, %b[%i] : memref<8xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = arith.addi %i, %c1 : index
    %x = memref.load %b[%k] : memref<8xf32>
    memref.store %x, %a[%i] : memref<8xf32>
    scf.reduce
  }
  return
}
// -----
func.func @three(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %a[%i] : memref<8xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %b[%i] : memref<8xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %c[%i] : memref<8xf32>
    scf.reduce
  }
  "demo.effect"() : () -> ()
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %c[%i] : memref<8xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c1) to (%n) step (%c1) {
    memref.store %v, %c[%i] : memref<8xf32>
    scf.reduce
  }
  return
}
// -----
func.func @sums(%a: memref<8xf32>, %b: memref<8xf32>, %n: index) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%v) -> f32 {
    %x = memref.load %a[%i] : memref<8xf32>
    scf.reduce (%x : f32) {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      scf.reduce.return %s : f32
    }
  }
  %t = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%v) -> f32 {
    %x = memref.load %b[%i] : memref<8xf32>
    scf.reduce (%x : f32) {
    ^bb0(%p: f32, %q: f32):
      %s = arith.mulf %p, %q : f32
      scf.reduce.return %s : f32
    }
  }
  return %r, %t : f32, f32
}
// -----
func.func @used(%a: memref<8xf32>, %b: memref<8xf32>, %n: index) -> (f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%v) -> f32 {
    %x = memref.load %a[%i] : memref<8xf32>
    scf.reduce (%x : f32) {
    ^bb0(%p: f32, %q: f32):
      %s = arith.addf %p, %q : f32
      scf.reduce.return %s : f32
    }
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %r, %b[%i] : memref<8xf32>
    scf.reduce
  }
  return %r: f32
}
// -----
func.func @nested(%a: memref<8xf32>, %b: memref<8xf32>, %n: index, %p: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  scf.if %p {
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      %x = memref.load %b[%i] : memref<8xf32>
      memref.store %x, %a[%i] : memref<8xf32>
      scf.reduce
    }
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      memref.store %v, %b[%i] : memref<8xf32>
      scf.reduce
    }
  }
  return
}
// -----
func.func @allocated(%a: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<8xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %a[%i] : memref<8xf32>
    memref.store %x, %m[%i] : memref<8xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %m[%i] : memref<8xf32>
    memref.store %x, %a[%i] : memref<8xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %x = memref.load %m[%c0] : memref<8xf32>
    memref.store %x, %a[%i] : memref<8xf32>
    scf.reduce
  }
  return
}
