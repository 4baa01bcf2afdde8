// The memory of an iteration is still there in the next one, which has one of its own.
func.func @handed_on(%a: memref<8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %last = scf.for %t = %c0 to %c4 step %c1 iter_args(%before = %a) -> memref<8xi32> { //~ error: `scf.for` of memrefs has no hardware: choose between the values that are loaded or stored, or between memories that are arguments or made outside of everything else
    %own = memref.alloc() : memref<8xi32>
    %v = memref.load %before[%c1] : memref<8xi32>
    memref.store %v, %own[%c1] : memref<8xi32>
    scf.yield %own : memref<8xi32>
  }
  %f = memref.load %last[%c1] : memref<8xi32>
  return %f : i32
}
