// config: {style: elastic, loops: {i: {style: static}}}
// config: {style: elastic, loops: {m: {style: static}, q: {style: static}}, lsq: everywhere}
// config: {style: elastic, loops: {m: {style: static}, q: {style: static}, i: {style: static}}}
// config: {style: elastic, loops: {k: {style: static}}}
// config: {loops: {q: {style: elastic}}}
memref.global "private" constant @weights : memref<8xi16> = dense<[3, -1, 4, 1, -5, 9, 2, 6]>
func.func @shared(%x: memref<8xi16>, %y: memref<8xi16>, %n: i16) -> (i16, index) {
  %zero = arith.constant 0 : i16
  %one = arith.constant 1 : i16
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %w = memref.get_global @weights : memref<8xi16>
  %local = memref.alloca() : memref<8xi16>
  affine.for %i = 0 to 8 {
    %v = affine.load %x[%i] : memref<8xi16>
    %u = affine.load %w[%i] : memref<8xi16>
    %p = arith.muli %v, %u : i16
    affine.store %p, %local[%i] : memref<8xi16>
  }
  %most = arith.constant 31 : i16
  %first = arith.andi %n, %most : i16
  %r:3 = scf.while (%k = %first, %sum = %zero, %at = %c0) : (i16, i16, index) -> (i16, i16, index) {
    %go = arith.cmpi sgt, %k, %zero : i16
    scf.condition(%go) %k, %sum, %at : i16, i16, index
  } do {
  ^bb0(%k: i16, %sum: i16, %at: index):
    %odd = arith.trunci %k : i16 to i1
    %mask = arith.constant 7 : i16
    %ki = arith.andi %k, %mask : i16
    %idx = arith.index_cast %ki : i16 to index
    %old = memref.load %local[%idx] : memref<8xi16>
    %s = scf.if %odd -> (i16) {
      %best:2 = scf.for %m = %c0 to %c8 step %c1 iter_args(%b = %zero, %where = %c0) -> (i16, index) {
        %v = memref.load %local[%m] : memref<8xi16>
        %more = arith.cmpi sgt, %v, %b : i16
        %b2 = arith.select %more, %v, %b : i16
        %w2 = arith.select %more, %m, %where : index
        scf.yield %b2, %w2 : i16, index
      }
      memref.store %zero, %local[%best#1] : memref<8xi16>
      scf.yield %best#0 : i16
    } else {
      scf.for %q = %idx to %c8 step %c1 {
        %v = memref.load %local[%q] : memref<8xi16>
        %v1 = arith.addi %v, %k : i16
        memref.store %v1, %local[%q] : memref<8xi16>
        memref.store %v1, %y[%q] : memref<8xi16>
      }
      scf.yield %one : i16
    }
    %d = arith.addi %one, %zero : i16
    %k2 = arith.subi %k, %d : i16
    %t = arith.addi %sum, %s : i16
    %t2 = arith.addi %t, %old : i16
    scf.yield %k2, %t2, %idx : i16, i16, index
  }
  return %r#1, %r#2 : i16, index
}
