// passes: affine-to-scf, flatten-memrefs, canonicalise, promote, first-values, canonicalise

// A nest fills a matrix that a product accumulates into: the sums start with the value.
func.func @product(%a: memref<4x3xi32>, %b: memref<3x2xi32>, %c: memref<4x2xi32>, %start: i32) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 2 {
      affine.store %start, %c[%i, %j] : memref<4x2xi32>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 2 {
      affine.for %k = 0 to 3 {
        %x = affine.load %a[%i, %k] : memref<4x3xi32>
        %y = affine.load %b[%k, %j] : memref<3x2xi32>
        %z = affine.load %c[%i, %j] : memref<4x2xi32>
        %p = arith.muli %x, %y : i32
        %s = arith.addi %z, %p : i32
        affine.store %s, %c[%i, %j] : memref<4x2xi32>
      }
    }
  }
  return
}

// The loops are in another order and count in another way, but the words are the same.
func.func @other_order(%x: memref<4x6xi32>, %y: memref<4x6xi32>, %start: i32) {
  affine.for %i = 0 to 24 {
    affine.store %start, %y[%i floordiv 6, %i mod 6] : memref<4x6xi32>
  }
  affine.for %j = 0 to 6 {
    affine.for %i = 0 to 4 {
      affine.store %start, %x[%i, -%j + 5] : memref<4x6xi32>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 step 2 {
      affine.for %k = 0 to 2 {
        %z = affine.load %x[%i, %j + %k] : memref<4x6xi32>
        %s = arith.addi %z, %z : i32
        affine.store %s, %x[%i, %j + %k] : memref<4x6xi32>
      }
    }
  }
  return
}

// The nest covers a part of the words only, so the fill stays.
func.func @part(%x: memref<4x6xi32>, %start: i32) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      affine.store %start, %x[%i, %j] : memref<4x6xi32>
    }
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 5 {
      %z = affine.load %x[%i, %j] : memref<4x6xi32>
      %s = arith.addi %z, %z : i32
      affine.store %s, %x[%i, %j] : memref<4x6xi32>
    }
  }
  return
}

//> module {
//>   func.func @product(%arg0: memref<12xi32>, %arg1: memref<6xi32>, %arg2: memref<8xi32>, %arg3: i32) attributes {sluice.arguments = [{name = "a", shape = array<i64: 4, 3>, type = memref<4x3xi32>, width = 32 : i64}, {name = "b", shape = array<i64: 3, 2>, type = memref<3x2xi32>, width = 32 : i64}, {name = "c", shape = array<i64: 4, 2>, type = memref<4x2xi32>, width = 32 : i64}, {name = "start", type = i32, width = 32 : i64}], sluice.results = []} {
//>     %c0 = arith.constant 0 : index
//>     %c4 = arith.constant 4 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg4 = %c0 to %c4 step %c1 {
//>       %c2 = arith.constant 2 : index
//>       scf.for %arg5 = %c0 to %c2 step %c1 {
//>         %c3 = arith.constant 3 : index
//>         %0 = arith.muli %arg4, %c2 : index
//>         %1 = arith.addi %0, %arg5 : index
//>         %2 = scf.for %arg6 = %c0 to %c3 step %c1 iter_args(%arg7 = %arg3) -> (i32) {
//>           %3 = arith.muli %arg4, %c3 : index
//>           %4 = arith.addi %3, %arg6 : index
//>           %5 = memref.load %arg0[%4] : memref<12xi32>
//>           %6 = arith.muli %arg6, %c2 : index
//>           %7 = arith.addi %6, %arg5 : index
//>           %8 = memref.load %arg1[%7] : memref<6xi32>
//>           %9 = arith.muli %5, %8 : i32
//>           %10 = arith.addi %arg7, %9 : i32
//>           scf.yield %10 : i32
//>         }
//>         memref.store %2, %arg2[%1] : memref<8xi32>
//>       }
//>     }
//>     return
//>   }
//>   func.func @other_order(%arg0: memref<24xi32>, %arg1: memref<24xi32>, %arg2: i32) attributes {sluice.arguments = [{name = "x", shape = array<i64: 4, 6>, type = memref<4x6xi32>, width = 32 : i64}, {name = "y", shape = array<i64: 4, 6>, type = memref<4x6xi32>, width = 32 : i64}, {name = "start", type = i32, width = 32 : i64}], sluice.results = []} {
//>     %c0 = arith.constant 0 : index
//>     %c24 = arith.constant 24 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg3 = %c0 to %c24 step %c1 {
//>       %c6_0 = arith.constant 6 : index
//>       %0 = arith.floordivsi %arg3, %c6_0 : index
//>       %1 = arith.muli %0, %c6_0 : index
//>       %2 = arith.subi %arg3, %1 : index
//>       %3 = arith.addi %1, %2 : index
//>       memref.store %arg2, %arg1[%3] : memref<24xi32>
//>     }
//>     %c6 = arith.constant 6 : index
//>     %c4 = arith.constant 4 : index
//>     scf.for %arg3 = %c0 to %c4 step %c1 {
//>       %c2 = arith.constant 2 : index
//>       scf.for %arg4 = %c0 to %c6 step %c2 {
//>         scf.for %arg5 = %c0 to %c2 step %c1 {
//>           %0 = arith.addi %arg4, %arg5 : index
//>           %1 = arith.muli %arg3, %c6 : index
//>           %2 = arith.addi %1, %0 : index
//>           %3 = arith.addi %arg2, %arg2 : i32
//>           memref.store %3, %arg0[%2] : memref<24xi32>
//>         }
//>       }
//>     }
//>     return
//>   }
//>   func.func @part(%arg0: memref<24xi32>, %arg1: i32) attributes {sluice.arguments = [{name = "x", shape = array<i64: 4, 6>, type = memref<4x6xi32>, width = 32 : i64}, {name = "start", type = i32, width = 32 : i64}], sluice.results = []} {
//>     %c0 = arith.constant 0 : index
//>     %c4 = arith.constant 4 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       %c6 = arith.constant 6 : index
//>       scf.for %arg3 = %c0 to %c6 step %c1 {
//>         %0 = arith.muli %arg2, %c6 : index
//>         %1 = arith.addi %0, %arg3 : index
//>         memref.store %arg1, %arg0[%1] : memref<24xi32>
//>       }
//>     }
//>     scf.for %arg2 = %c0 to %c4 step %c1 {
//>       %c5 = arith.constant 5 : index
//>       scf.for %arg3 = %c0 to %c5 step %c1 {
//>         %c6 = arith.constant 6 : index
//>         %0 = arith.muli %arg2, %c6 : index
//>         %1 = arith.addi %0, %arg3 : index
//>         %2 = memref.load %arg0[%1] : memref<24xi32>
//>         %3 = arith.addi %2, %2 : i32
//>         memref.store %3, %arg0[%1] : memref<24xi32>
//>       }
//>     }
//>     return
//>   }
//> }
