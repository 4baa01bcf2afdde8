// passes: directives, affine-to-scf, outline
// config: {style: elastic, loops: {i: {style: static}}}
// What the loop uses of what is around it is passed to a function; constants and tables are made again, and a counter that is never
// negative has as many bits as it needs.
memref.global "private" constant @table : memref<8xi8> = dense<[3, 1, 4, 1, 5, 9, 2, 6]>
func.func @k(%x: memref<8x8xi8>, %bias: i8) -> i8 {
  %zero = arith.constant 0 : i8
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %t = memref.get_global @table : memref<8xi8>
  %all = scf.for %row = %c0 to %c8 step %c1 iter_args(%sum = %zero) -> (i8) {
    %s = affine.for %i = 0 to 8 iter_args(%a = %sum) -> (i8) {
      %v = memref.load %x[%row, %i] : memref<8x8xi8>
      %w = memref.load %t[%i] : memref<8xi8>
      %p = arith.muli %v, %w : i8
      %b = arith.addi %p, %bias : i8
      %n = arith.addi %a, %b : i8
      affine.yield %n : i8
    }
    %r = scf.while (%left = %s) : (i8) -> i8 {
      %go = arith.cmpi sgt, %left, %bias : i8
      scf.condition(%go) %left : i8
    } do {
    ^bb0(%left: i8):
      %less = arith.subi %left, %bias : i8
      scf.yield %less : i8
    }
    scf.yield %r : i8
  }
  return %all : i8
}

//> module {
//>   memref.global "private" constant @table : memref<8xi8> = dense<[3, 1, 4, 1, 5, 9, 2, 6]>
//>   func.func @k(%arg0: memref<8x8xi8>, %arg1: i8) -> i8 {
//>     %c0_i8 = arith.constant 0 : i8
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c8 = arith.constant 8 : index
//>     %0 = memref.get_global @table : memref<8xi8>
//>     %1 = scf.for %arg2 = %c0 to %c8 step %c1 iter_args(%arg3 = %c0_i8) -> (i8) {
//>       %c0_0 = arith.constant 0 : index
//>       %c8_1 = arith.constant 8 : index
//>       %c1_2 = arith.constant 1 : index
//>       %2 = arith.index_castui %arg2 : index to i3
//>       %3 = func.call @k_i(%arg3, %arg0, %2, %arg1) : (i8, memref<8x8xi8>, i3, i8) -> i8
//>       %4 = scf.while (%arg4 = %3) : (i8) -> i8 {
//>         %5 = arith.cmpi sgt, %arg4, %arg1 : i8
//>         scf.condition(%5) %arg4 : i8
//>       } do {
//>       ^bb0(%arg4: i8):
//>         %5 = arith.subi %arg4, %arg1 : i8
//>         scf.yield %5 : i8
//>       }
//>       scf.yield %4 : i8
//>     }
//>     return %1 : i8
//>   }
//>   func.func private @k_i(%arg0: i8, %arg1: memref<8x8xi8>, %arg2: i3, %arg3: i8) -> i8 attributes {sluice.no_inline} {
//>     %c0 = arith.constant 0 : index
//>     %c8 = arith.constant 8 : index
//>     %c1 = arith.constant 1 : index
//>     %0 = arith.index_castui %arg2 : i3 to index
//>     %1 = memref.get_global @table : memref<8xi8>
//>     %2 = scf.for %arg4 = %c0 to %c8 step %c1 iter_args(%arg5 = %arg0) -> (i8) {
//>       %3 = memref.load %arg1[%0, %arg4] : memref<8x8xi8>
//>       %4 = memref.load %1[%arg4] : memref<8xi8>
//>       %5 = arith.muli %3, %4 : i8
//>       %6 = arith.addi %5, %arg3 : i8
//>       %7 = arith.addi %arg5, %6 : i8
//>       scf.yield %7 : i8
//>     } {sluice.style = "static"}
//>     return %2 : i8
//>   }
//> }
