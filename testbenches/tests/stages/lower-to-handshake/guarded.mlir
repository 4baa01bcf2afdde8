// passes: lower-to-handshake

// Where a store does not happen its token goes past it; the memory is local, the table has its words.
module {
  memref.global "private" constant @weights : memref<4xi8> = dense<[1, 2, 3, 4]>
  func.func @guarded(%n: i2, %x: i8) -> i8 attributes {sluice.dependences = []} {
    %table = memref.get_global @weights : memref<4xi8>
    %cells = memref.alloca() : memref<4xi8>
    %0 = arith.index_castui %n : i2 to index
    %weight = memref.load %table[%0] {sluice.access = 0 : i64} : memref<4xi8>
    %less = arith.cmpi ult, %weight, %x : i8
    memref.store %x, %cells[%0] {sluice.access = 1 : i64} : memref<4xi8>
    scf.if %less {
      memref.store %weight, %cells[%0] {sluice.access = 2 : i64} : memref<4xi8>
    } {sluice.guard}
    %first = arith.constant 0 : index
    %r = memref.load %cells[%first] {sluice.access = 3 : i64} : memref<4xi8>
    return %r : i8
  }
}

//> module {
//>   handshake.func @guarded(%arg0: i2, %arg1: i8, %arg2: none, ...) -> (i8, none) attributes {argNames = ["arg0", "arg1", "start"], resNames = ["result0", "done"]} {
//>     %0:3 = fork [3] %arg2 : none
//>     %1:2 = fork [2] %arg1 : i8
//>     %2:3 = fork [3] %arg0 : i2
//>     %3 = source
//>     %dataResult, %addressResults = load [%2#2] %11#0, %3 : i2, i8
//>     %4:2 = fork [2] %dataResult : i8
//>     %5 = arith.cmpi ult, %4#1, %1#1 : i8
//>     %6:4 = fork [4] %5 : i1
//>     %dataResult_0, %addressResult = store [%2#1] %1#0, %0#2 : i2, i8
//>     %trueResult, %falseResult = cond_br %6#3, %0#1 : none
//>     %trueResult_1, %falseResult_2 = cond_br %6#2, %4#0 : i8
//>     sink %falseResult_2 : i8
//>     %trueResult_3, %falseResult_4 = cond_br %6#1, %2#0 : i2
//>     sink %falseResult_4 : i2
//>     %dataResult_5, %addressResult_6 = store [%trueResult_3] %trueResult_1, %trueResult : i2, i8
//>     %7 = mux %6#0 [%falseResult, %12#2] : i1, none
//>     %8 = source
//>     %9 = constant %8 {value = 0 : i2} : i2
//>     %dataResult_7, %addressResults_8 = load [%9] %12#0, %0#0 : i2, i8
//>     %10 = join %12#1, %7, %12#3 : none, none, none
//>     %11:2 = memory[ld = 1, st = 0] (%addressResults) {id = 0 : i32, lsq = false, sluice.name = "table", sluice.values = [1 : i8, 2 : i8, 3 : i8, 4 : i8]} : memref<4xi8>, (i2) -> (i8, none)
//>     sink %11#1 : none
//>     %12:4 = memory[ld = 1, st = 2] (%dataResult_0, %addressResult, %dataResult_5, %addressResult_6, %addressResults_8) {id = 1 : i32, lsq = false, sluice.name = "cells"} : memref<4xi8>, (i8, i2, i8, i2, i2) -> (i8, none, none, none)
//>     return %dataResult_7, %10 : i8, none
//>   }
//> }
