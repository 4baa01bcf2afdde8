// A predicated load whose value was known went, and left its guard behind without an access.
func.func @knows_what_it_loads(%m: memref<6xi2>, %x: i2) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %n = arith.constant 11 : index
  %z = arith.constant 0 : i2
  %last = scf.for %i = %zero to %n step %one iter_args(%c = %x) -> (i2) {
    %w = scf.for %j = %zero to %three step %one iter_args(%u = %zero) -> (index) {
      memref.store %z, %m[%three] : memref<6xi2>
      scf.yield %one : index
    }
    %d = arith.cmpi sge, %c, %z : i2
    scf.if %d {
      %v = memref.load %m[%three] : memref<6xi2>
      memref.store %v, %m[%zero] : memref<6xi2>
    }
    scf.yield %z : i2
  }
  return
}
