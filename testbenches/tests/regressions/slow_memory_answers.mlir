// A memory whose answers take longer than the clock period: the register stands behind the load, not between it and its port.
func.func @slow_memory_answers(%v75: memref<8x2xi1>) {
  %v74 = arith.constant false
  %v76 = arith.constant false
  %v111 = affine.for %v85 = 2 to 6 iter_args(%v86 = %v74) -> (i1) {
    %v87 = affine.load %v75[%v85 - 2 + 1, 1] : memref<8x2xi1>
    affine.store %v76, %v75[%v85 - 2 + 2, 0] : memref<8x2xi1>
    affine.yield %v87 : i1
  }
  return
}
