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
//>     %0:4 = fork [4] %arg1 : none
//>     %1 = constant %0#3 {value = 2 : i6} : i6
//>     %2 = mux %24#0 [%1, %trueResult_3] : i1, i6
//>     %3:3 = fork [3] %2 : i6
//>     %4 = arith.trunci %3#2 : i6 to i4
//>     %5:2 = fork [2] %4 : i4
//>     %6 = source
//>     %7 = constant %6 {value = 2 : i4} : i4
//>     %8 = arith.subi %5#1, %7 : i4
//>     %9 = mux %24#1 [%0#2, %trueResult_1] : i1, none
//>     %10 = mux %24#2 [%0#1, %trueResult_7] : i1, none
//>     %dataResult, %addressResults = load [%8] %28#0, %10 : i4, i8
//>     %11 = source
//>     %12 = constant %11 {value = 1 : i8} : i8
//>     %13 = arith.addi %dataResult, %12 : i8
//>     %14 = mux %24#3 [%0#0, %trueResult_5] : i1, none
//>     %15:2 = fork [2] %14 : none
//>     %dataResult_0, %addressResult = store [%5#0] %13, %15#1 : i4, i8
//>     %16 = source
//>     %17 = constant %16 {value = 15 : i6} : i6
//>     %18 = arith.cmpi slt, %3#1, %17 : i6
//>     %19:2 = fork [2] %18 : i1
//>     %20 = source
//>     %21 = constant %20 {value = 1 : i6} : i6
//>     %22 = arith.addi %3#0, %21 : i6
//>     %23 = buffer [1] seq %19#1 {initValues = [0], sluice.cut = "data"} : i1
//>     %24:4 = fork [4] %23 : i1
//>     %25 = buffer [1] seq %19#0 : i1
//>     %26:5 = fork [5] %25 : i1
//>     %trueResult, %falseResult = cond_br %26#4, %28#2 : none
//>     sink %trueResult : none
//>     %trueResult_1, %falseResult_2 = cond_br %26#3, %28#1 : none
//>     %27 = join %falseResult, %falseResult_2 : none, none
//>     %trueResult_3, %falseResult_4 = cond_br %26#2, %22 : i6
//>     sink %falseResult_4 : i6
//>     %trueResult_5, %falseResult_6 = cond_br %26#1, %15#0 : none
//>     sink %falseResult_6 : none
//>     %trueResult_7, %falseResult_8 = cond_br %26#0, %9 : none
//>     sink %falseResult_8 : none
//>     %28:3 = extmemory[ld = 1, st = 1] (%arg0 : memref<16xi8>) (%dataResult_0, %addressResult, %addressResults) {id = 0 : i32, sluice.name = "a"} : (i8, i4, i4) -> (i8, none, none)
//>     return %27 : none
//>   }
//> }
