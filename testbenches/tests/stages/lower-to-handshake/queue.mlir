// passes: lower-to-handshake

// The word of a stream has no address; a queue is between the loop of its store and that of its load, where each word comes with an
// iteration.
func.func @through(%x: memref<3xi8>, %y: memref<3xi8>) attributes {sluice.arguments = [{name = "x", stream = "in"}, {name = "y"}], sluice.dependences = []} {
  %t = memref.alloca() {sluice.channel = 3 : i64, sluice.depth_wanted = 2 : i64} : memref<3xi8>
  %c0 = arith.constant 0 : i3
  %c1 = arith.constant 1 : i3
  %c3 = arith.constant 3 : i3
  scf.for %i = %c0 to %c3 step %c1 : i3 {
    %at = arith.trunci %i : i3 to i2
    %n = arith.index_castui %at : i2 to index
    %a = memref.load %x[%n] {sluice.access = 0 : i64} : memref<3xi8>
    memref.store %a, %t[%n] {sluice.access = 1 : i64} : memref<3xi8>
  } {sluice.dependences = [], sluice.trip_count = 3 : i64}
  scf.for %i = %c0 to %c3 step %c1 : i3 {
    %at = arith.trunci %i : i3 to i2
    %n = arith.index_castui %at : i2 to index
    %a = memref.load %t[%n] {sluice.access = 2 : i64} : memref<3xi8>
    memref.store %a, %y[%n] {sluice.access = 3 : i64} : memref<3xi8>
  } {sluice.dependences = [], sluice.trip_count = 3 : i64}
  return
}

//> module {
//>   handshake.func @through(%arg0: memref<3xi8>, %arg1: memref<3xi8>, %arg2: none, ...) -> none attributes {argNames = ["x", "y", "start"], resNames = ["done"], sluice.arguments = [{name = "x", stream = "in"}, {name = "y"}]} {
//>     %0:4 = fork [4] %arg2 : none
//>     %1 = constant %0#3 {value = 0 : i3} : i3
//>     %2 = mux %16#0 [%1, %trueResult] : i1, i3
//>     %3:2 = fork [2] %2 : i3
//>     %4 = source
//>     %5 = constant %4 {value = 0 : i2} : i2
//>     %6 = mux %16#1 [%0#2, %trueResult_0] : i1, none
//>     %7:2 = fork [2] %6 : none
//>     %dataResult, %addressResults = load [%5] %38#0, %7#1 : i2, i8
//>     %8 = source
//>     %9 = constant %8 {value = 2 : i3} : i3
//>     %10 = arith.cmpi slt, %3#1, %9 : i3
//>     %11:2 = fork [2] %10 : i1
//>     %12 = source
//>     %13 = constant %12 {value = 1 : i3} : i3
//>     %14 = arith.addi %3#0, %13 : i3
//>     %15 = buffer [1] seq %11#1 {initValues = [0], sluice.cut = "data"} : i1
//>     %16:2 = fork [2] %15 : i1
//>     %17 = buffer [1] seq %11#0 : i1
//>     %18:2 = fork [2] %17 : i1
//>     %trueResult, %falseResult = cond_br %18#1, %14 : i3
//>     sink %falseResult : i3
//>     %trueResult_0, %falseResult_1 = cond_br %18#0, %7#0 : none
//>     sink %falseResult_1 : none
//>     %19 = constant %0#1 {value = 0 : i3} : i3
//>     %20 = mux %35#0 [%19, %trueResult_5] : i1, i3
//>     %21:3 = fork [3] %20 : i3
//>     %22 = arith.trunci %21#2 : i3 to i2
//>     %23 = buffer [3] fifo %dataResult {sluice.channel = "t", sluice.depth_wanted = 2 : i64, sluice.name = "t"} : i8
//>     %24 = mux %35#1 [%0#0, %trueResult_7] : i1, none
//>     %25:3 = fork [3] %24 : none
//>     %26:2 = sync %23, %25#2 : i8, none
//>     sink %26#1 : none
//>     %dataResult_2, %addressResult = store [%22] %26#0, %25#1 : i2, i8
//>     %27 = source
//>     %28 = constant %27 {value = 2 : i3} : i3
//>     %29 = arith.cmpi slt, %21#1, %28 : i3
//>     %30:2 = fork [2] %29 : i1
//>     %31 = source
//>     %32 = constant %31 {value = 1 : i3} : i3
//>     %33 = arith.addi %21#0, %32 : i3
//>     %34 = buffer [1] seq %30#1 {initValues = [0], sluice.cut = "data"} : i1
//>     %35:2 = fork [2] %34 : i1
//>     %36 = buffer [1] seq %30#0 : i1
//>     %37:3 = fork [3] %36 : i1
//>     %trueResult_3, %falseResult_4 = cond_br %37#2, %39 : none
//>     sink %trueResult_3 : none
//>     %trueResult_5, %falseResult_6 = cond_br %37#1, %33 : i3
//>     sink %falseResult_6 : i3
//>     %trueResult_7, %falseResult_8 = cond_br %37#0, %25#0 : none
//>     sink %falseResult_8 : none
//>     %38:2 = extmemory[ld = 1, st = 0] (%arg0 : memref<3xi8>) (%addressResults) {id = 0 : i32, sluice.name = "x", sluice.stream} : (i2) -> (i8, none)
//>     sink %38#1 : none
//>     %39 = extmemory[ld = 0, st = 1] (%arg1 : memref<3xi8>) (%dataResult_2, %addressResult) {id = 1 : i32, sluice.name = "y"} : (i8, i2) -> none
//>     return %falseResult_4 : none
//>   }
//> }
