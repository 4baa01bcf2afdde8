// passes: directives, affine-to-scf, outline
// config: {style: static, loops: {w: {style: elastic}}}
// With one loop that tokens run in a kernel that is scheduled, all loops that neither hold it nor are in it are functions.
func.func @k(%x: memref<8xi8>, %y: memref<8xi8>, %n: i8) {
  affine.for %i = 0 to 8 {
    %v = memref.load %x[%i] : memref<8xi8>
    %u = arith.addi %v, %n : i8
    memref.store %u, %y[%i] : memref<8xi8>
  }
  affine.for %j = 0 to 8 {
    %v = memref.load %y[%j] : memref<8xi8>
    %r = scf.while (%w = %v) : (i8) -> i8 {
      %go = arith.cmpi ugt, %w, %n : i8
      scf.condition(%go) %w : i8
    } do {
    ^bb0(%w: i8):
      %one = arith.constant 1 : i8
      %less = arith.shrui %w, %one : i8
      scf.yield %less : i8
    }
    memref.store %r, %x[%j] : memref<8xi8>
  }
  return
}

//> module {
//>   func.func @k(%arg0: memref<8xi8>, %arg1: memref<8xi8>, %arg2: i8) {
//>     %c0 = arith.constant 0 : index
//>     %c8 = arith.constant 8 : index
//>     %c1 = arith.constant 1 : index
//>     call @k_i(%arg0, %arg2, %arg1) : (memref<8xi8>, i8, memref<8xi8>) -> ()
//>     %c0_0 = arith.constant 0 : index
//>     %c8_1 = arith.constant 8 : index
//>     %c1_2 = arith.constant 1 : index
//>     scf.for %arg3 = %c0_0 to %c8_1 step %c1_2 {
//>       %0 = memref.load %arg1[%arg3] : memref<8xi8>
//>       %1 = scf.while (%arg4 = %0) : (i8) -> i8 {
//>         %2 = arith.cmpi ugt, %arg4, %arg2 : i8
//>         scf.condition(%2) %arg4 : i8
//>       } do {
//>       ^bb0(%arg4: i8):
//>         %c1_i8 = arith.constant 1 : i8
//>         %2 = arith.shrui %arg4, %c1_i8 : i8
//>         scf.yield %2 : i8
//>       } attributes {sluice.style = "elastic"}
//>       memref.store %1, %arg0[%arg3] : memref<8xi8>
//>     }
//>     return
//>   }
//>   func.func private @k_i(%arg0: memref<8xi8>, %arg1: i8, %arg2: memref<8xi8>) attributes {sluice.no_inline} {
//>     %c0 = arith.constant 0 : index
//>     %c8 = arith.constant 8 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg3 = %c0 to %c8 step %c1 {
//>       %0 = memref.load %arg0[%arg3] : memref<8xi8>
//>       %1 = arith.addi %0, %arg1 : i8
//>       memref.store %1, %arg2[%arg3] : memref<8xi8>
//>     } {sluice.style = "static"}
//>     return
//>   }
//> }
