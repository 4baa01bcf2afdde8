// Twice the products of two rows, until one is 1000 or more: the second time 400 words behind.
func.func @nested_loop(%a: memref<400xi32>, %b: memref<400xi32>, %c: memref<800xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %n = arith.constant 400 : index
  %bound = arith.constant 1000 : i32
  scf.for %j = %zero to %two step %one {
    %base = arith.muli %j, %n : index
    scf.while (%i = %zero) : (index) -> index {
      %x = memref.load %a[%i] : memref<400xi32>
      %y = memref.load %b[%i] : memref<400xi32>
      %product = arith.muli %x, %y : i32
      %at = arith.addi %base, %i : index
      memref.store %product, %c[%at] : memref<800xi32>
      %next = arith.addi %i, %one : index
      %is_small = arith.cmpi slt, %product, %bound : i32
      %is_inside = arith.cmpi ult, %next, %n : index
      %again = arith.andi %is_small, %is_inside : i1
      scf.condition(%again) %next : index
    } do {
    ^bb0(%i: index):
      scf.yield %i : index
    }
  }
  return
}
