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
//>     %0:2 = fork [2] %arg2 : none
//>     %1 = constant %0#1 {value = 0 : i3} : i3
//>     %2 = mux %13 [%1, %trueResult] : i1, i3
//>     %3:3 = fork [3] %2 : i3
//>     %4 = source
//>     %5 = constant %4 {value = 0 : i2} : i2
//>     %dataResult, %addressResults = load [%5] %31#0, %33 : i2, i8
//>     %6 = source
//>     %7 = constant %6 {value = 2 : i3} : i3
//>     %8 = arith.cmpi slt, %3#2, %7 : i3
//>     %9:2 = fork [2] %8 : i1
//>     %10 = source
//>     %11 = constant %10 {value = 1 : i3} : i3
//>     %12 = arith.addi %3#1, %11 : i3
//>     %13 = buffer [1] seq %9#1 {initValues = [0], sluice.cut = "data"} : i1
//>     %14 = buffer [1] seq %9#0 : i1
//>     %trueResult, %falseResult = cond_br %14, %12 : i3
//>     sink %falseResult : i3
//>     %15 = constant %0#0 {value = 0 : i3} : i3
//>     %16 = mux %28 [%15, %trueResult_3] : i1, i3
//>     %17:4 = fork [4] %16 : i3
//>     %18 = arith.trunci %17#3 : i3 to i2
//>     %19 = buffer [3] fifo %dataResult {sluice.channel = "t", sluice.depth_wanted = 2 : i64, sluice.name = "t"} : i8
//>     %20:2 = sync %19, %35#0 : i8, none
//>     sink %20#1 : none
//>     %dataResult_0, %addressResult = store [%18] %20#0, %35#1 : i2, i8
//>     %21 = source
//>     %22 = constant %21 {value = 2 : i3} : i3
//>     %23 = arith.cmpi slt, %17#2, %22 : i3
//>     %24:2 = fork [2] %23 : i1
//>     %25 = source
//>     %26 = constant %25 {value = 1 : i3} : i3
//>     %27 = arith.addi %17#1, %26 : i3
//>     %28 = buffer [1] seq %24#1 {initValues = [0], sluice.cut = "data"} : i1
//>     %29 = buffer [1] seq %24#0 : i1
//>     %30:2 = fork [2] %29 : i1
//>     %trueResult_1, %falseResult_2 = cond_br %30#1, %32 : none
//>     sink %trueResult_1 : none
//>     %trueResult_3, %falseResult_4 = cond_br %30#0, %27 : i3
//>     sink %falseResult_4 : i3
//>     %31:2 = extmemory[ld = 1, st = 0] (%arg0 : memref<3xi8>) (%addressResults) {id = 0 : i32, sluice.name = "x", sluice.stream} : (i2) -> (i8, none)
//>     sink %31#1 : none
//>     %32 = extmemory[ld = 0, st = 1] (%arg1 : memref<3xi8>) (%dataResult_0, %addressResult) {id = 1 : i32, sluice.name = "y"} : (i8, i2) -> none
//>     %33 = join %3#0 : i3
//>     %34 = join %17#0 : i3
//>     %35:2 = fork [2] %34 : none
//>     return %falseResult_2 : none
//>   }
//> }
