// Two products in different cycles of a loop that starts an iteration in every cycle: both multipliers are in use all the time.
func.func @polynomial(%a: memref<16xi16>, %b: i16, %c: i16) {
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i] : memref<16xi16>
    %p = arith.muli %x, %b : i16
    %s = arith.addi %p, %c : i16
    %q = arith.muli %s, %x : i16
    affine.store %q, %a[%i] : memref<16xi16>
  }
  return
}
