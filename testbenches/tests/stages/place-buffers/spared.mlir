// passes: lower-to-handshake, place-buffers
// config: {style: elastic, clock_period_ns: 10}

// Halves an interval by what a memory holds. The ring through the memory has a latency there: no other register is on it, those of the others stand beside it.
func.func @spared(%table: memref<16xi8>, %key: i8) -> i4 attributes {sluice.arguments = [{name = "table"}, {}], sluice.dependences = []} {
  %zero = arith.constant 0 : i4
  %one = arith.constant 1 : i4
  %most = arith.constant 15 : i4
  %at = scf.while (%low = %zero) : (i4) -> i4 {
    %ends = arith.cmpi ult, %low, %most : i4
    scf.condition(%ends) %low : i4
  } do {
  ^bb0(%low: i4):
    %next = arith.addi %low, %one : i4
    %0 = arith.index_castui %low : i4 to index
    %value = memref.load %table[%0] {sluice.access = 0 : i64} : memref<16xi8>
    %less = arith.cmpi ult, %value, %key : i8
    %chosen = arith.select %less, %next, %most : i4
    scf.yield %chosen : i4
  }
  return %at : i4
}

//> module {
//>   handshake.func @spared(%arg0: memref<16xi8>, %arg1: i8, %arg2: none, ...) -> (i4, none) attributes {argNames = ["table", "arg1", "start"], resNames = ["result0", "done"], sluice.arguments = [{name = "table"}, {}]} {
//>     %0:2 = fork [2] %arg2 : none
//>     %1 = constant %0#1 {value = 0 : i4} : i4
//>     %2 = buffer [1] fifo %27 {sluice.reason = "ring"} : i4
//>     %3 = mux %10#1 [%1, %2] : i1, i4
//>     %4:4 = fork [4] %3 : i4
//>     %5 = source
//>     %6 = constant %5 {value = -1 : i4} : i4
//>     %7 = arith.cmpi ult, %4#3, %6 {sluice.class = "compare_order"} : i4
//>     %8:5 = fork [5] %7 : i1
//>     %9 = buffer [1] seq %8#4 {initValues = [0], sluice.ii = 1 : i64} : i1
//>     %10:2 = fork [2] %9 : i1
//>     %11 = buffer [1] seq %8#3 : i1
//>     %12:2 = fork [2] %11 : i1
//>     %13 = buffer [1] seq %4#2 {sluice.cut = "data", sluice.reason = "throughput"} : i4
//>     %trueResult, %falseResult = cond_br %12#1, %13 : i4
//>     sink %trueResult : i4
//>     %14 = source
//>     %15 = constant %14 {value = 1 : i4} : i4
//>     %16 = arith.addi %4#1, %15 {sluice.class = "add"} : i4
//>     %trueResult_0, %falseResult_1 = cond_br %8#2, %4#0 : i4
//>     sink %falseResult_1 : i4
//>     %17 = source
//>     %dataResult, %addressResults = load [%trueResult_0] %28#0, %17 : i4, i8
//>     %18 = buffer [1] seq %trueResult_6 {sluice.reason = "ring"} : i8
//>     %19 = buffer [1] seq %10#0 {sluice.cut = "data", sluice.reason = "throughput"} : i1
//>     %20 = mux %19 [%arg1, %18] : i1, i8
//>     %21:2 = fork [2] %20 : i8
//>     %22 = buffer [1] seq %8#1 {sluice.cut = "data", sluice.reason = "ring"} : i1
//>     %trueResult_2, %falseResult_3 = cond_br %22, %21#1 : i8
//>     sink %falseResult_3 : i8
//>     %23 = arith.cmpi ult, %dataResult, %trueResult_2 {sluice.class = "compare_order"} : i8
//>     %trueResult_4, %falseResult_5 = cond_br %8#0, %16 : i4
//>     sink %falseResult_5 : i4
//>     %24 = source
//>     %25 = constant %24 {value = -1 : i4} : i4
//>     %26 = buffer [1] seq %trueResult_4 {sluice.cut = "data", sluice.reason = "ring"} : i4
//>     %27 = arith.select %23, %26, %25 {sluice.class = "mux"} : i4
//>     %trueResult_6, %falseResult_7 = cond_br %12#0, %21#0 : i8
//>     sink %falseResult_7 : i8
//>     %28:2 = extmemory[ld = 1, st = 0] (%arg0 : memref<16xi8>) (%addressResults) {id = 0 : i32, sluice.name = "table"} : (i4) -> (i8, none)
//>     sink %28#1 : none
//>     return %falseResult, %0#0 : i4, none
//>   }
//> }
