// passes: affine-to-scf, restructure, canonicalise
func.func @ends(%x: memref<8xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = affine.for %i = 0 to 8 step 2 iter_args(%acc = %zero) -> (i32) {
    %a = affine.load %x[%i] : memref<8xi32>
    %next = arith.addi %acc, %a : i32
    affine.yield %next : i32
  } {sluice.peel_first = 1, sluice.peel_last = 2}
  return %sum : i32
}

//> module {
//>   func.func @ends(%arg0: memref<8xi32>) -> i32 {
//>     %c0 = arith.constant 0 : index
//>     %0 = memref.load %arg0[%c0] : memref<8xi32>
//>     %c2 = arith.constant 2 : index
//>     %1 = memref.load %arg0[%c2] : memref<8xi32>
//>     %2 = arith.addi %0, %1 : i32
//>     %c4 = arith.constant 4 : index
//>     %3 = memref.load %arg0[%c4] : memref<8xi32>
//>     %4 = arith.addi %2, %3 : i32
//>     %c6 = arith.constant 6 : index
//>     %5 = memref.load %arg0[%c6] : memref<8xi32>
//>     %6 = arith.addi %4, %5 : i32
//>     return %6 : i32
//>   }
//> }
