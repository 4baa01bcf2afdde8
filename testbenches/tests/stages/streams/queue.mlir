// passes: directives, inline-callees, normalise, affine-to-scf, flatten-memrefs, streams
// config: {style: elastic, streams: [x], depths: {t: 3}}

// Words that are read in the order in which they are written go through a queue, in frames too; what is read twice stays a memory.
func.func @frames(%x: memref<2x4xi8>, %y: memref<8xi8>) {
  %t = memref.alloc() : memref<4xi8>
  %u = memref.alloc() : memref<4xi8>
  affine.for %f = 0 to 2 {
    affine.for %i = 0 to 4 {
      %a = affine.load %x[%f, %i] : memref<2x4xi8>
      affine.store %a, %t[3 - %i] : memref<4xi8>
      affine.store %a, %u[%i] : memref<4xi8>
    }
    affine.for %i = 0 to 4 {
      %a = affine.load %t[3 - %i] : memref<4xi8>
      %b = affine.load %u[%i] : memref<4xi8>
      %c = affine.load %u[0] : memref<4xi8>
      %d = arith.addi %a, %b : i8
      %e = arith.addi %c, %d : i8
      affine.store %e, %y[%f * 4 + %i] : memref<8xi8>
    }
  }
  return
}

//> module {
//>   func.func @frames(%arg0: memref<8xi8>, %arg1: memref<8xi8>) attributes {sluice.arguments = [{name = "x", shape = array<i64: 2, 4>, stream = "in", type = memref<2x4xi8>, width = 8 : i64}, {name = "y", shape = array<i64: 8>, type = memref<8xi8>, width = 8 : i64}], sluice.results = []} {
//>     %alloca = memref.alloca() {sluice.channel = 8 : i64, sluice.depth_wanted = 3 : i64} : memref<4xi8>
//>     %alloca_0 = memref.alloca() : memref<4xi8>
//>     %c0 = arith.constant 0 : index
//>     %c2 = arith.constant 2 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg2 = %c0 to %c2 step %c1 {
//>       %c0_1 = arith.constant 0 : index
//>       %c4 = arith.constant 4 : index
//>       %c1_2 = arith.constant 1 : index
//>       scf.for %arg3 = %c0_1 to %c4 step %c1_2 {
//>         %c4_6 = arith.constant 4 : index
//>         %0 = arith.muli %arg2, %c4_6 : index
//>         %1 = arith.addi %0, %arg3 : index
//>         %2 = memref.load %arg0[%1] : memref<8xi8>
//>         %c-1 = arith.constant -1 : index
//>         %3 = arith.muli %arg3, %c-1 : index
//>         %c3 = arith.constant 3 : index
//>         %4 = arith.addi %3, %c3 : index
//>         memref.store %2, %alloca[%4] : memref<4xi8>
//>         memref.store %2, %alloca_0[%arg3] : memref<4xi8>
//>       }
//>       %c0_3 = arith.constant 0 : index
//>       %c4_4 = arith.constant 4 : index
//>       %c1_5 = arith.constant 1 : index
//>       scf.for %arg3 = %c0_3 to %c4_4 step %c1_5 {
//>         %c-1 = arith.constant -1 : index
//>         %0 = arith.muli %arg3, %c-1 : index
//>         %c3 = arith.constant 3 : index
//>         %1 = arith.addi %0, %c3 : index
//>         %2 = memref.load %alloca[%1] : memref<4xi8>
//>         %3 = memref.load %alloca_0[%arg3] : memref<4xi8>
//>         %c0_6 = arith.constant 0 : index
//>         %4 = memref.load %alloca_0[%c0_6] : memref<4xi8>
//>         %5 = arith.addi %2, %3 : i8
//>         %6 = arith.addi %4, %5 : i8
//>         %c4_7 = arith.constant 4 : index
//>         %7 = arith.muli %arg2, %c4_7 : index
//>         %8 = arith.addi %7, %arg3 : index
//>         memref.store %6, %arg1[%8] : memref<8xi8>
//>       }
//>     }
//>     return
//>   }
//> }
