// passes: lower-to-handshake

// A loop in a loop counts as one access of unknown cells: the store behind it waits for all of its iterations.
func.func @nested(%a: memref<8xi8>) attributes {sluice.arguments = [{name = "a"}], sluice.dependences = []} {
  %c0 = arith.constant 0 : i5
  %c1 = arith.constant 1 : i5
  %c8 = arith.constant 8 : i5
  scf.for %i = %c0 to %c8 step %c1 : i5 {
    scf.for %j = %c0 to %c8 step %c1 : i5 {
      %0 = arith.trunci %j : i5 to i3
      %1 = arith.index_castui %0 : i3 to index
      %x = memref.load %a[%1] {sluice.access = 0 : i64} : memref<8xi8>
      %y = arith.addi %x, %x : i8
      memref.store %y, %a[%1] {sluice.access = 1 : i64} : memref<8xi8>
    } {sluice.trip_count = 8 : i64, sluice.dependences = [array<i64: 0, 1, 0>]}
    %2 = arith.trunci %i : i5 to i3
    %3 = arith.index_castui %2 : i3 to index
    %zero = arith.constant 0 : i8
    memref.store %zero, %a[%3] {sluice.access = 2 : i64} : memref<8xi8>
  } {sluice.trip_count = 8 : i64, sluice.dependences = []}
  return
}

//> module {
//>   handshake.func @nested(%arg0: memref<8xi8>, %arg1: none, ...) -> none attributes {argNames = ["a", "start"], resNames = ["done"], sluice.arguments = [{name = "a"}]} {
//>     %0:4 = fork [4] %arg1 : none
//>     %1 = constant %0#3 {value = 0 : i5} : i5
//>     %2 = mux %41#0 [%1, %trueResult_11] : i1, i5
//>     %3:3 = fork [3] %2 : i5
//>     %4 = mux %41#1 [%0#2, %trueResult_9] : i1, none
//>     %5 = mux %41#2 [%0#1, %trueResult_7] : i1, none
//>     %6 = join %4, %5 : none, none
//>     %7 = mux %41#3 [%0#0, %trueResult_13] : i1, none
//>     %8:2 = fork [2] %7 : none
//>     %9 = constant %8#1 {value = 0 : i5} : i5
//>     %10 = mux %26#0 [%9, %trueResult_1] : i1, i5
//>     %11:3 = fork [3] %10 : i5
//>     %12 = arith.trunci %11#2 : i5 to i3
//>     %13:2 = fork [2] %12 : i3
//>     %14 = mux %26#1 [%6, %trueResult_3] : i1, none
//>     %15:2 = fork [2] %14 : none
//>     %dataResult, %addressResults = load [%13#1] %44#0, %15#1 : i3, i8
//>     %16:2 = fork [2] %dataResult : i8
//>     %17 = arith.addi %16#1, %16#0 : i8
//>     %dataResult_0, %addressResult = store [%13#0] %17, %44#3 : i3, i8
//>     %18 = source
//>     %19 = constant %18 {value = 7 : i5} : i5
//>     %20 = arith.cmpi slt, %11#1, %19 : i5
//>     %21:2 = fork [2] %20 : i1
//>     %22 = source
//>     %23 = constant %22 {value = 1 : i5} : i5
//>     %24 = arith.addi %11#0, %23 : i5
//>     %25 = buffer [1] seq %21#1 {initValues = [0], sluice.cut = "data"} : i1
//>     %26:2 = fork [2] %25 : i1
//>     %27 = buffer [1] seq %21#0 : i1
//>     %28:3 = fork [3] %27 : i1
//>     %trueResult, %falseResult = cond_br %28#2, %44#1 : none
//>     %29:2 = fork [2] %falseResult : none
//>     sink %trueResult : none
//>     %trueResult_1, %falseResult_2 = cond_br %28#1, %24 : i5
//>     sink %falseResult_2 : i5
//>     %trueResult_3, %falseResult_4 = cond_br %28#0, %15#0 : none
//>     sink %falseResult_4 : none
//>     %30 = arith.trunci %3#2 : i5 to i3
//>     %31 = source
//>     %32 = constant %31 {value = 0 : i8} : i8
//>     %dataResult_5, %addressResult_6 = store [%30] %32, %29#1 : i3, i8
//>     %33 = source
//>     %34 = constant %33 {value = 7 : i5} : i5
//>     %35 = arith.cmpi slt, %3#1, %34 : i5
//>     %36:2 = fork [2] %35 : i1
//>     %37 = source
//>     %38 = constant %37 {value = 1 : i5} : i5
//>     %39 = arith.addi %3#0, %38 : i5
//>     %40 = buffer [1] seq %36#1 {initValues = [0], sluice.cut = "data"} : i1
//>     %41:4 = fork [4] %40 : i1
//>     %42 = buffer [1] seq %36#0 : i1
//>     %43:4 = fork [4] %42 : i1
//>     %trueResult_7, %falseResult_8 = cond_br %43#3, %44#2 : none
//>     %trueResult_9, %falseResult_10 = cond_br %43#2, %29#0 : none
//>     sink %falseResult_10 : none
//>     %trueResult_11, %falseResult_12 = cond_br %43#1, %39 : i5
//>     sink %falseResult_12 : i5
//>     %trueResult_13, %falseResult_14 = cond_br %43#0, %8#0 : none
//>     sink %falseResult_14 : none
//>     %44:4 = extmemory[ld = 1, st = 2] (%arg0 : memref<8xi8>) (%dataResult_0, %addressResult, %dataResult_5, %addressResult_6, %addressResults) {id = 0 : i32, sluice.name = "a"} : (i8, i3, i8, i3, i3) -> (i8, none, none, none)
//>     return %falseResult_8 : none
//>   }
//> }
