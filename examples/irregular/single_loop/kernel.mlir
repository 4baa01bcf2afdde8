// Products of two rows, until one is 1000 or more.
func.func @single_loop(%a: memref<600xi32>, %b: memref<600xi32>, %c: memref<600xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 600 : index
  %bound = arith.constant 1000 : i32
  scf.while (%i = %zero) : (index) -> index {
    %x = memref.load %a[%i] : memref<600xi32>
    %y = memref.load %b[%i] : memref<600xi32>
    %product = arith.muli %x, %y : i32
    memref.store %product, %c[%i] : memref<600xi32>
    %next = arith.addi %i, %one : index
    %is_small = arith.cmpi slt, %product, %bound : i32
    %is_inside = arith.cmpi ult, %next, %n : index
    %again = arith.andi %is_small, %is_inside : i1
    scf.condition(%again) %next : index
  } do {
  ^bb0(%i: index):
    scf.yield %i : index
  }
  return
}
