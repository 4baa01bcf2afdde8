// Digits of an index, a local memory as large as a constant says, and blocks that run once in a loop, with a loop of their own.
func.func @digits(%a: memref<3x5xi8>, %b: memref<15xi8>) -> i8 {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %three = arith.constant 3 : index
  %five = arith.constant 5 : index
  %copy = memref.alloca(%five, %three) : memref<?x?xi8>
  affine.for %i = 0 to 15 {
    %at:2 = affine.delinearize_index %i into (%three, %five) : index, index
    %bits = scf.execute_region -> i8 {
      %x = memref.load %a[%at#0, %at#1] : memref<3x5xi8>
      cf.br ^round(%x, %zero : i8, i8)
    ^round(%left: i8, %n: i8):
      %none = arith.cmpi eq, %left, %zero : i8
      cf.cond_br %none, ^done, ^next
    ^next:
      %half = arith.shrui %left, %one : i8
      %bit = arith.andi %left, %one : i8
      %more = arith.addi %n, %bit : i8
      cf.br ^round(%half, %more : i8, i8)
    ^done:
      scf.yield %n : i8
    }
    memref.store %bits, %copy[%at#1, %at#0] : memref<?x?xi8>
  }
  %sum = affine.for %i = 0 to 15 iter_args(%s = %zero) -> (i8) {
    %at:2 = affine.delinearize_index %i into (%five, %three) : index, index
    %x = memref.load %copy[%at#0, %at#1] : memref<?x?xi8>
    affine.store %x, %b[%i] : memref<15xi8>
    %t = arith.addi %s, %x : i8
    affine.yield %t : i8
  }
  return %sum : i8
}
