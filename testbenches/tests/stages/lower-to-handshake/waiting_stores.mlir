// passes: lower-to-handshake

// The load waits until the address of the store before is known, the end for the store itself.
func.func @count(%x: memref<64xi4>, %h: memref<16xi8>) attributes {sluice.arguments = [{name = "x"}, {name = "h"}], sluice.dependences = []} {
  %c0 = arith.constant 0 : i7
  %c1 = arith.constant 1 : i7
  %c64 = arith.constant 64 : i7
  scf.for %i = %c0 to %c64 step %c1 : i7 {
    %at = arith.index_castui %i : i7 to index
    %bin = memref.load %x[%at] {sluice.access = 0 : i64} : memref<64xi4>
    %cell = arith.index_castui %bin : i4 to index
    %n = memref.load %h[%cell] {sluice.access = 1 : i64} : memref<16xi8>
    %one = arith.constant 1 : i8
    %more = arith.addi %n, %one : i8
    memref.store %more, %h[%cell] {sluice.access = 2 : i64, sluice.pending} : memref<16xi8>
  } {sluice.trip_count = 64 : i64, sluice.dependences = [array<i64: 1, 2, 0>, array<i64: 2, 1, 1>, array<i64: 2, 2, 1>]}
  return
}

//> module {
//>   handshake.func @count(%arg0: memref<64xi4>, %arg1: memref<16xi8>, %arg2: none, ...) -> none attributes {argNames = ["x", "h", "start"], resNames = ["done"], sluice.arguments = [{name = "x"}, {name = "h"}]} {
//>     %0:2 = fork [2] %arg2 : none
//>     %1 = constant %0#1 {value = 0 : i7} : i7
//>     %2 = mux %27#0 [%1, %trueResult_3] : i1, i7
//>     %3:3 = fork [3] %2 : i7
//>     %4 = source
//>     %dataResult, %addressResults = load [%3#2] %30#0, %4 : i7, i4
//>     %5:2 = fork [2] %dataResult : i4
//>     %6 = mux %27#1 [%0#0, %trueResult] : i1, none
//>     %dataResult_0, %addressResults_1 = load [%5#1] %31#0, %6 : i4, i8
//>     %7 = source
//>     %8 = constant %7 {value = 1 : i8} : i8
//>     %9 = arith.addi %dataResult_0, %8 : i8
//>     %10:2 = sync %5#0, %31#2 : i4, none
//>     %11 = buffer [1] fifo %10#0 {sluice.pending, sluice.reason = "store"} : i4
//>     %12 = source
//>     %dataResult_2, %addressResult = store [%11] %9, %12 : i4, i8
//>     %13 = source
//>     %14 = constant %13 {value = -64 : i7} : i7
//>     %15 = source
//>     %16 = constant %15 {value = 1 : i7} : i7
//>     %17 = arith.extsi %14 : i7 to i8
//>     %18 = arith.extsi %16 : i7 to i8
//>     %19 = arith.extsi %3#1 : i7 to i8
//>     %20 = arith.subi %17, %18 : i8
//>     %21 = arith.cmpi slt, %19, %20 : i8
//>     %22:2 = fork [2] %21 : i1
//>     %23 = source
//>     %24 = constant %23 {value = 1 : i7} : i7
//>     %25 = arith.addi %3#0, %24 : i7
//>     %26 = buffer [1] seq %22#1 {initValues = [0], sluice.cut = "data"} : i1
//>     %27:2 = fork [2] %26 : i1
//>     %28 = buffer [1] seq %22#0 : i1
//>     %29:2 = fork [2] %28 : i1
//>     %trueResult, %falseResult = cond_br %29#1, %10#1 : none
//>     %trueResult_3, %falseResult_4 = cond_br %29#0, %25 : i7
//>     sink %falseResult_4 : i7
//>     %30:2 = extmemory[ld = 1, st = 0] (%arg0 : memref<64xi4>) (%addressResults) {id = 0 : i32, sluice.name = "x"} : (i7) -> (i4, none)
//>     sink %30#1 : none
//>     %31:3 = extmemory[ld = 1, st = 1] (%arg1 : memref<16xi8>) (%dataResult_2, %addressResult, %addressResults_1) {id = 1 : i32, sluice.name = "h"} : (i8, i4, i4) -> (i8, none, none)
//>     sink %31#1 : none
//>     return %falseResult : none
//>   }
//> }
