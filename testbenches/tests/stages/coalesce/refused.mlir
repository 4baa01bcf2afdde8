// passes: canonicalise, coalesce, canonicalise

// A division in every iteration, and a bound that is read from memory: both loops stay.
func.func @apart(%a: memref<32xi32>, %n: memref<4xindex>, %d: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %a[%j] : memref<32xi32>
      %y = arith.divsi %x, %d : i32
      memref.store %y, %a[%j] : memref<32xi32>
    }
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %length = memref.load %n[%i] : memref<4xindex>
    scf.for %j = %c0 to %length step %c1 {
      memref.store %d, %a[%j] : memref<32xi32>
    }
  }
  return
}
