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
//>     %0:3 = fork [3] %arg1 : none
//>     %1 = constant %0#2 {value = 0 : i5} : i5
//>     %2 = mux %39#0 [%1, %trueResult_11] : i1, i5
//>     %3:4 = fork [4] %2 : i5
//>     %4 = mux %39#1 [%0#1, %trueResult_9] : i1, none
//>     %5 = mux %39#2 [%0#0, %trueResult_7] : i1, none
//>     %6 = join %4, %5 : none, none
//>     %7 = constant %43 {value = 0 : i5} : i5
//>     %8 = mux %24#0 [%7, %trueResult_1] : i1, i5
//>     %9:3 = fork [3] %8 : i5
//>     %10 = arith.trunci %9#2 : i5 to i3
//>     %11:2 = fork [2] %10 : i3
//>     %12 = mux %24#1 [%6, %trueResult_3] : i1, none
//>     %13:2 = fork [2] %12 : none
//>     %dataResult, %addressResults = load [%11#1] %42#0, %13#1 : i3, i8
//>     %14:2 = fork [2] %dataResult : i8
//>     %15 = arith.addi %14#1, %14#0 : i8
//>     %dataResult_0, %addressResult = store [%11#0] %15, %42#3 : i3, i8
//>     %16 = source
//>     %17 = constant %16 {value = 7 : i5} : i5
//>     %18 = arith.cmpi slt, %9#1, %17 : i5
//>     %19:2 = fork [2] %18 : i1
//>     %20 = source
//>     %21 = constant %20 {value = 1 : i5} : i5
//>     %22 = arith.addi %9#0, %21 : i5
//>     %23 = buffer [1] seq %19#1 {initValues = [0], sluice.cut = "data"} : i1
//>     %24:2 = fork [2] %23 : i1
//>     %25 = buffer [1] seq %19#0 : i1
//>     %26:3 = fork [3] %25 : i1
//>     %trueResult, %falseResult = cond_br %26#2, %42#1 : none
//>     %27:2 = fork [2] %falseResult : none
//>     sink %trueResult : none
//>     %trueResult_1, %falseResult_2 = cond_br %26#1, %22 : i5
//>     sink %falseResult_2 : i5
//>     %trueResult_3, %falseResult_4 = cond_br %26#0, %13#0 : none
//>     sink %falseResult_4 : none
//>     %28 = arith.trunci %3#3 : i5 to i3
//>     %29 = source
//>     %30 = constant %29 {value = 0 : i8} : i8
//>     %dataResult_5, %addressResult_6 = store [%28] %30, %27#1 : i3, i8
//>     %31 = source
//>     %32 = constant %31 {value = 7 : i5} : i5
//>     %33 = arith.cmpi slt, %3#2, %32 : i5
//>     %34:2 = fork [2] %33 : i1
//>     %35 = source
//>     %36 = constant %35 {value = 1 : i5} : i5
//>     %37 = arith.addi %3#1, %36 : i5
//>     %38 = buffer [1] seq %34#1 {initValues = [0], sluice.cut = "data"} : i1
//>     %39:3 = fork [3] %38 : i1
//>     %40 = buffer [1] seq %34#0 : i1
//>     %41:3 = fork [3] %40 : i1
//>     %trueResult_7, %falseResult_8 = cond_br %41#2, %42#2 : none
//>     %trueResult_9, %falseResult_10 = cond_br %41#1, %27#0 : none
//>     sink %falseResult_10 : none
//>     %trueResult_11, %falseResult_12 = cond_br %41#0, %37 : i5
//>     sink %falseResult_12 : i5
//>     %42:4 = extmemory[ld = 1, st = 2] (%arg0 : memref<8xi8>) (%dataResult_0, %addressResult, %dataResult_5, %addressResult_6, %addressResults) {id = 0 : i32, sluice.name = "a"} : (i8, i3, i8, i3, i3) -> (i8, none, none, none)
//>     %43 = join %3#0 : i5
//>     return %falseResult_8 : none
//>   }
//> }
