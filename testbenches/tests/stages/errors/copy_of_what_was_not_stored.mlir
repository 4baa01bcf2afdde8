func.func @unseen(%a: memref<8xi16>, %b: memref<8xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] {sluice.copy = 0 : i64} : memref<8xi16> //~ error: this cannot be read from a copy: a value that is read was neither stored nor read before: fill the copy in front of a loop with `sluice.fill`
    memref.store %x, %b[%i] : memref<8xi16>
  }
  return
}
