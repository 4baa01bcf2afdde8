func.func @kind(%a: memref<8xi16>, %b: memref<8xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 { //~ error: 'scf.for' op attribute 'sluice.window' failed to satisfy constraint: "loads" or "all"
    %x = memref.load %a[%i] : memref<8xi16>
    memref.store %x, %b[%i] : memref<8xi16>
  } {sluice.window = 2 : i64}
  return
}
