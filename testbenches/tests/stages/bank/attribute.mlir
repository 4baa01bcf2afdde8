// passes: normalise, affine-to-scf, bank

// The attribute on arguments and memories is the same wish.
func.func @copy(%a: memref<4xi32> {sluice.banks = {dim = 0, factor = 2, kind = "cyclic"}}, %b: memref<1xi32>) {
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %x = memref.load %a[%c2] : memref<4xi32>
  memref.store %x, %b[%c0] : memref<1xi32>
  return
}

//> module {
//>   func.func @copy(%arg0: memref<2xi32>, %arg1: memref<2xi32>, %arg2: memref<1xi32>) attributes {sluice.banked = [{array = "a", chosen = 0 : i64, first = 0 : i64, partition = {shape = array<i64: 4>, splits = [array<i64: 0, 2, 1>]}, straight = 1 : i64}]} {
//>     %c2 = arith.constant 2 : index
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %0 = memref.load %arg0[%c1] : memref<2xi32>
//>     memref.store %0, %arg2[%c0] : memref<1xi32>
//>     return
//>   }
//> }
