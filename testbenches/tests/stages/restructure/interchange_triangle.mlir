// passes: affine-to-scf, restructure, canonicalise
// The bounds of a triangle in the other order; the load goes inwards.
func.func @triangle(%A: memref<8x8xi32>, %x: memref<8xi32>, %y: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    %a = affine.load %x[%i] : memref<8xi32>
    affine.for %j = 0 to affine_map<(i) -> (i + 1)>(%i) {
      %m = affine.load %A[%i, %j] : memref<8x8xi32>
      %p = arith.muli %m, %a : i32
      %old = affine.load %y[%j] : memref<8xi32>
      %new = arith.addi %old, %p : i32
      affine.store %new, %y[%j] : memref<8xi32>
    }
  } {sluice.interchange = ["j", "i"]}
  return
}

//> module {
//>   func.func @triangle(%arg0: memref<8x8xi32>, %arg1: memref<8xi32>, %arg2: memref<8xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c8 = arith.constant 8 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg3 = %c0 to %c8 step %c1 {
//>       scf.for %arg4 = %arg3 to %c8 step %c1 {
//>         %0 = memref.load %arg1[%arg4] : memref<8xi32>
//>         %1 = memref.load %arg0[%arg4, %arg3] : memref<8x8xi32>
//>         %2 = arith.muli %1, %0 : i32
//>         %3 = memref.load %arg2[%arg3] : memref<8xi32>
//>         %4 = arith.addi %3, %2 : i32
//>         memref.store %4, %arg2[%arg3] : memref<8xi32>
//>       }
//>     }
//>     return
//>   }
//> }
