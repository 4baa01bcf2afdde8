// passes: lower-to-handshake

// A load waits for the store of two iterations before; the store touches no cell that anything else has yet to touch.
func.func @order(%a: memref<16xi8>) attributes {sluice.arguments = [{name = "a"}], sluice.dependences = []} {
  %c2 = arith.constant 2 : i6
  %c1 = arith.constant 1 : i6
  %c16 = arith.constant 16 : i6
  scf.for %i = %c2 to %c16 step %c1 : i6 {
    %at = arith.trunci %i : i6 to i4
    %two = arith.constant 2 : i4
    %before = arith.subi %at, %two : i4
    %0 = arith.index_castui %before : i4 to index
    %1 = arith.index_castui %at : i4 to index
    %x = memref.load %a[%0] {sluice.access = 0 : i64} : memref<16xi8>
    %one = arith.constant 1 : i8
    %y = arith.addi %x, %one : i8
    memref.store %y, %a[%1] {sluice.access = 1 : i64} : memref<16xi8>
  } {sluice.trip_count = 14 : i64, sluice.dependences = [array<i64: 1, 0, 2>]}
  return
}

//> module {
//>   handshake.func @order(%arg0: memref<16xi8>, %arg1: none, ...) -> none attributes {argNames = ["a", "start"], resNames = ["done"], sluice.arguments = [{name = "a"}]} {
//>     %0:3 = fork [3] %arg1 : none
//>     %1 = constant %0#2 {value = 2 : i6} : i6
//>     %2 = mux %22#0 [%1, %trueResult_3] : i1, i6
//>     %3:4 = fork [4] %2 : i6
//>     %4 = arith.trunci %3#3 : i6 to i4
//>     %5:2 = fork [2] %4 : i4
//>     %6 = source
//>     %7 = constant %6 {value = 2 : i4} : i4
//>     %8 = arith.subi %5#1, %7 : i4
//>     %9 = mux %22#1 [%0#1, %trueResult_1] : i1, none
//>     %10 = mux %22#2 [%0#0, %trueResult_5] : i1, none
//>     %dataResult, %addressResults = load [%8] %26#0, %10 : i4, i8
//>     %11 = source
//>     %12 = constant %11 {value = 1 : i8} : i8
//>     %13 = arith.addi %dataResult, %12 : i8
//>     %dataResult_0, %addressResult = store [%5#0] %13, %27 : i4, i8
//>     %14 = source
//>     %15 = constant %14 {value = 15 : i6} : i6
//>     %16 = arith.cmpi slt, %3#2, %15 : i6
//>     %17:2 = fork [2] %16 : i1
//>     %18 = source
//>     %19 = constant %18 {value = 1 : i6} : i6
//>     %20 = arith.addi %3#1, %19 : i6
//>     %21 = buffer [1] seq %17#1 {initValues = [0], sluice.cut = "data"} : i1
//>     %22:3 = fork [3] %21 : i1
//>     %23 = buffer [1] seq %17#0 : i1
//>     %24:4 = fork [4] %23 : i1
//>     %trueResult, %falseResult = cond_br %24#3, %26#2 : none
//>     sink %trueResult : none
//>     %trueResult_1, %falseResult_2 = cond_br %24#2, %26#1 : none
//>     %25 = join %falseResult, %falseResult_2 : none, none
//>     %trueResult_3, %falseResult_4 = cond_br %24#1, %20 : i6
//>     sink %falseResult_4 : i6
//>     %trueResult_5, %falseResult_6 = cond_br %24#0, %9 : none
//>     sink %falseResult_6 : none
//>     %26:3 = extmemory[ld = 1, st = 1] (%arg0 : memref<16xi8>) (%dataResult_0, %addressResult, %addressResults) {id = 0 : i32, sluice.name = "a"} : (i8, i4, i4) -> (i8, none, none)
//>     %27 = join %3#0 : i6
//>     return %25 : none
//>   }
//> }
