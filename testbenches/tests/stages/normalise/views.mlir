// passes: normalise

// Loads and stores through views are those of the memory behind, also through views of views; copies between them are loops.
func.func @part(%a: memref<8x6xi8>, %i: index, %row: index, %x: i8) -> i8 {
  %part = memref.subview %a[%row, 2] [2, 3] [1, 2] : memref<8x6xi8> to memref<2x3xi8, strided<[6, 2], offset: ?>>
  %line = memref.subview %part[1, 0] [1, 3] [1, 1] : memref<2x3xi8, strided<[6, 2], offset: ?>> to memref<3xi8, strided<[2], offset: ?>>
  affine.store %x, %line[symbol(%i) + 1] : memref<3xi8, strided<[2], offset: ?>>
  %y = memref.load %part[%i, %i] : memref<2x3xi8, strided<[6, 2], offset: ?>>
  return %y : i8
}
func.func @shapes(%a: memref<4x6xi8>, %i: index) -> (i8, i8, i8, i8) {
  %flat = memref.collapse_shape %a [[0, 1]] : memref<4x6xi8> into memref<24xi8>
  %w = memref.load %flat[%i] : memref<24xi8>
  %split = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 2, 6] : memref<4x6xi8> into memref<2x2x6xi8>
  %x = memref.load %split[%i, %i, %i] : memref<2x2x6xi8>
  %turned = memref.transpose %a (d0, d1) -> (d1, d0) : memref<4x6xi8> to memref<6x4xi8, strided<[1, 6]>>
  %y = memref.load %turned[%i, %i] : memref<6x4xi8, strided<[1, 6]>>
  %cast = memref.reinterpret_cast %a to offset: [3], sizes: [5], strides: [4] : memref<4x6xi8> to memref<5xi8, strided<[4], offset: 3>>
  %z = memref.load %cast[%i] : memref<5xi8, strided<[4], offset: 3>>
  return %w, %x, %y, %z : i8, i8, i8, i8
}
func.func @copied(%a: memref<8xi8>, %b: memref<8xi8>, %n: index) -> index {
  %from = memref.subview %a[1] [%n] [1] : memref<8xi8> to memref<?xi8, strided<[1], offset: 1>>
  %to = memref.subview %b[0] [%n] [1] : memref<8xi8> to memref<?xi8, strided<[1]>>
  memref.copy %from, %to : memref<?xi8, strided<[1], offset: 1>> to memref<?xi8, strided<[1]>>
  %zero = arith.constant 0 : index
  %size = memref.dim %to, %zero : memref<?xi8, strided<[1]>>
  return %size : index
}

//> module {
//>   func.func @part(%arg0: memref<8x6xi8>, %arg1: index, %arg2: index, %arg3: i8) -> i8 {
//>     %c1 = arith.constant 1 : index
//>     %0 = arith.addi %arg1, %c1 : index
//>     %c1_0 = arith.constant 1 : index
//>     %1 = arith.addi %c1_0, %arg2 : index
//>     %c2 = arith.constant 2 : index
//>     %2 = arith.muli %0, %c2 : index
//>     %c2_1 = arith.constant 2 : index
//>     %3 = arith.addi %2, %c2_1 : index
//>     memref.store %arg3, %arg0[%1, %3] : memref<8x6xi8>
//>     %4 = arith.addi %arg1, %arg2 : index
//>     %c2_2 = arith.constant 2 : index
//>     %5 = arith.muli %arg1, %c2_2 : index
//>     %c2_3 = arith.constant 2 : index
//>     %6 = arith.addi %5, %c2_3 : index
//>     %7 = memref.load %arg0[%4, %6] : memref<8x6xi8>
//>     return %7 : i8
//>   }
//>   func.func @shapes(%arg0: memref<4x6xi8>, %arg1: index) -> (i8, i8, i8, i8) {
//>     %c6 = arith.constant 6 : index
//>     %0 = arith.floordivsi %arg1, %c6 : index
//>     %c6_0 = arith.constant 6 : index
//>     %1 = arith.floordivsi %arg1, %c6_0 : index
//>     %2 = arith.muli %1, %c6_0 : index
//>     %3 = arith.subi %arg1, %2 : index
//>     %4 = memref.load %arg0[%0, %3] : memref<4x6xi8>
//>     %c2 = arith.constant 2 : index
//>     %5 = arith.muli %arg1, %c2 : index
//>     %6 = arith.addi %5, %arg1 : index
//>     %7 = memref.load %arg0[%6, %arg1] : memref<4x6xi8>
//>     %8 = memref.load %arg0[%arg1, %arg1] : memref<4x6xi8>
//>     %c4 = arith.constant 4 : index
//>     %9 = arith.muli %arg1, %c4 : index
//>     %c3 = arith.constant 3 : index
//>     %10 = arith.addi %9, %c3 : index
//>     %c6_1 = arith.constant 6 : index
//>     %11 = arith.floordivsi %10, %c6_1 : index
//>     %c4_2 = arith.constant 4 : index
//>     %12 = arith.muli %arg1, %c4_2 : index
//>     %c3_3 = arith.constant 3 : index
//>     %13 = arith.addi %12, %c3_3 : index
//>     %c6_4 = arith.constant 6 : index
//>     %14 = arith.floordivsi %13, %c6_4 : index
//>     %15 = arith.muli %14, %c6_4 : index
//>     %16 = arith.subi %13, %15 : index
//>     %17 = memref.load %arg0[%11, %16] : memref<4x6xi8>
//>     return %4, %7, %8, %17 : i8, i8, i8, i8
//>   }
//>   func.func @copied(%arg0: memref<8xi8>, %arg1: memref<8xi8>, %arg2: index) -> index {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg3 = %c0 to %arg2 step %c1 {
//>       %c1_1 = arith.constant 1 : index
//>       %0 = arith.addi %arg3, %c1_1 : index
//>       %1 = memref.load %arg0[%0] : memref<8xi8>
//>       memref.store %1, %arg1[%arg3] : memref<8xi8>
//>     }
//>     %c0_0 = arith.constant 0 : index
//>     return %arg2 : index
//>   }
//> }
