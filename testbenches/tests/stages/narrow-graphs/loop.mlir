// passes: simplify-graphs, narrow-graphs

// An index of a memory of 600 words has ten bits, which the condition says; nothing asks for more of the sum.
handshake.func @loop(%m: memref<600xi32>, %start: none) -> (i8, none) {
  %data:2 = extmemory [ld = 1, st = 0] (%m : memref<600xi32>) (%address) {id = 0 : i32} : (index) -> (i32, none)
  %zero = constant %start {value = 0 : index} : index
  %none = constant %start {value = 0 : i32} : i32
  %one = constant %start {value = 1 : index} : index
  %end = constant %start {value = 600 : index} : index
  %go = buffer [1] seq %again {initValues = [0]} : i1
  %ctl = mux %go [%start, %back] : i1, none
  %i = mux %go [%zero, %next] : i1, index
  %step = mux %go [%one, %step_at] : i1, index
  %n = mux %go [%end, %n_at] : i1, index
  %sum = mux %go [%none, %more] : i1, i32
  %again = arith.cmpi slt, %i, %n : index
  %at, %gone = cond_br %again, %i : index
  %step_at, %step_gone = cond_br %again, %step : index
  %n_at, %n_gone = cond_br %again, %n : index
  %sum_at, %result = cond_br %again, %sum : i32
  %ctl_at, %done = cond_br %again, %ctl : none
  %word, %address = load [%at] %data#0, %ctl_at : index, i32
  %back = join %ctl_at, %data#1 : none, none
  %more = arith.addi %sum_at, %word : i32
  %next = arith.addi %at, %step_at : index
  %low = arith.trunci %result : i32 to i8
  return %low, %done : i8, none
}

//> module {
//>   handshake.func @loop(%arg0: memref<600xi32>, %arg1: none, ...) -> (i8, none) attributes {argNames = ["m", "start"], resNames = ["out0", "out1"]} {
//>     %0:2 = extmemory[ld = 1, st = 0] (%arg0 : memref<600xi32>) (%addressResults) {id = 0 : i32} : (i10) -> (i32, none)
//>     %1 = buffer [1] seq %9 {initValues = [0]} : i1
//>     %2 = mux %1 [%arg1, %12] : i1, none
//>     %3 = arith.extui %17 : i1 to i10
//>     %4 = mux %1 [%3, %16] : i1, i10
//>     %5 = arith.extui %18 : i1 to i8
//>     %6 = mux %1 [%5, %13] : i1, i8
//>     %7 = source
//>     %8 = constant %7 {value = -424 : i10} : i10
//>     %9 = arith.cmpi ult, %4, %8 : i10
//>     %trueResult, %falseResult = cond_br %9, %4 : i10
//>     %10 = arith.trunci %falseResult : i10 to i1
//>     %trueResult_0, %falseResult_1 = cond_br %9, %6 : i8
//>     %trueResult_2, %falseResult_3 = cond_br %9, %2 : none
//>     %dataResult, %addressResults = load [%trueResult] %0#0, %trueResult_2 : i10, i32
//>     %11 = arith.trunci %dataResult : i32 to i8
//>     %12 = join %trueResult_2, %0#1 : none, none
//>     %13 = arith.addi %trueResult_0, %11 : i8
//>     %14 = source
//>     %15 = constant %14 {value = 1 : i10} : i10
//>     %16 = arith.addi %trueResult, %15 : i10
//>     %17 = constant %arg1 {value = false} : i1
//>     %18 = constant %arg1 {value = false} : i1
//>     return %falseResult_1, %falseResult_3 : i8, none
//>   }
//> }
