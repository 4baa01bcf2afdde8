// A local memory in banks that its accesses must choose among, and a table beside it.
func.func @local_banks(%a: memref<10xi16>, %n: i3) -> i16 {
  %t = memref.alloca() : memref<5x2xi16>
  affine.for %i = 0 to 5 {
    affine.for %j = 0 to 2 {
      %x = affine.load %a[%i * 2 + %j] : memref<10xi16>
      affine.store %x, %t[4 - %i, %j] : memref<5x2xi16>
    }
  }
  %c0 = arith.constant 0 : i16
  %sum = affine.for %i = 0 to 5 iter_args(%acc = %c0) -> (i16) {
    %x = affine.load %t[%i, (%i + 1) mod 2] : memref<5x2xi16>
    %new = arith.addi %acc, %x : i16
    affine.store %new, %a[%i * 2] : memref<10xi16>
    affine.yield %new : i16
  }
  return %sum : i16
}
