// passes: directives, normalise, lower-affine
// config: {loops: {i: {tile: 4}, j: {unroll: 2}, k: {pipeline: false}, m: {ii: 2}}}

// A dimension is a loop with directives of its own.
func.func @parallel(%a: memref<8x6xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %x = arith.constant 3 : i32
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c6) step (%c1, %c1) {
    memref.store %x, %a[%i, %j] : memref<8x6xi32>
    scf.reduce
  }
  affine.parallel (%k, %l) = (0, 0) to (8, 6) {
    affine.store %x, %a[%k, %l] : memref<8x6xi32>
  }
  scf.forall (%l, %m) in (%n, 6) {
    memref.store %x, %a[%l, %m] : memref<8x6xi32>
  }
  return
}
