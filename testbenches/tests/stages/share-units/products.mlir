// passes: lower-to-handshake, share-units, place-buffers, prove-deadlock-freedom
// config: {style: elastic, clock_period_ns: 10, limits: {multiply: 2}}

// Two products of an iteration, and one behind the loop: those of the loop have a unit each, and the last one takes turns with one of them.
func.func @products(%a: memref<16xi16>, %b: memref<16xi16>, %x: i8) -> i16 attributes {sluice.arguments = [{name = "a"}, {name = "b"}, {}], sluice.dependences = []} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.constant 16 : index
  %none = arith.constant 0 : i16
  %sum = scf.for %i = %zero to %end step %one iter_args(%sum = %none) -> (i16) {
    %p = memref.load %a[%i] {sluice.access = 0 : i64} : memref<16xi16>
    %q = memref.load %b[%i] {sluice.access = 1 : i64} : memref<16xi16>
    %product = arith.muli %p, %q : i16
    %square = arith.muli %product, %product : i16
    %next = arith.addi %sum, %square : i16
    scf.yield %next : i16
  }
  %y = arith.muli %x, %x : i8
  %wide = arith.extui %y : i8 to i16
  %result = arith.addi %sum, %wide : i16
  return %result : i16
}

//> module {
//>   handshake.func @products(%arg0: memref<16xi16>, %arg1: memref<16xi16>, %arg2: i8, %arg3: none, ...) -> (i16, none) attributes {argNames = ["a", "b", "arg2", "start"], resNames = ["result0", "done"], sluice.arguments = [{name = "a"}, {name = "b"}, {}], sluice.deadlock_free = "proved: no ring in 203 waits of 49 channels and 1 loop"} {
//>     %0:2 = fork [2] %arg3 : none
//>     %1:2 = fork [2] %arg2 : i8
//>     %2 = constant %0#1 {value = 0 : i64} : i64
//>     %3 = mux %23#0 [%2, %trueResult_2] : i1, i64
//>     %4:4 = fork [4] %3 : i64
//>     %5 = source
//>     %6 = constant %5 {value = 0 : i16} : i16
//>     %7 = buffer [2] seq %23#1 {sluice.cut = "data", sluice.reason = "throughput"} : i1
//>     %8 = mux %7 [%6, %trueResult] : i1, i16
//>     %9 = source
//>     %dataResult, %addressResults = load [%4#3] %32#0, %9 : i64, i16
//>     %10 = source
//>     %dataResult_0, %addressResults_1 = load [%4#2] %33#0, %10 : i64, i16
//>     %11 = arith.muli %dataResult, %dataResult_0 {sluice.class = "multiply", sluice.credits = 2 : i64, sluice.latency = 1 : i64, sluice.shared = 0 : i64} : i16
//>     %12:2 = fork [2] %11 : i16
//>     %13 = arith.muli %12#1, %12#0 {sluice.class = "multiply"} : i16
//>     %14 = arith.addi %8, %13 {sluice.class = "add"} : i16
//>     %15 = source
//>     %16 = constant %15 {value = 15 : i64} : i64
//>     %17 = arith.cmpi slt, %4#1, %16 {sluice.class = "compare_order"} : i64
//>     %18:2 = fork [2] %17 : i1
//>     %19 = source
//>     %20 = constant %19 {value = 1 : i64} : i64
//>     %21 = arith.addi %4#0, %20 {sluice.class = "add"} : i64
//>     %22 = buffer [1] seq %18#1 {initValues = [0], sluice.ii = 1 : i64} : i1
//>     %23:2 = fork [2] %22 : i1
//>     %24 = buffer [1] seq %18#0 : i1
//>     %25:2 = fork [2] %24 : i1
//>     %26 = buffer [1] seq %14 {sluice.reason = "ring"} : i16
//>     %27 = buffer [2] seq %25#1 {sluice.cut = "data", sluice.reason = "throughput"} : i1
//>     %trueResult, %falseResult = cond_br %27, %26 : i16
//>     %28 = buffer [1] seq %21 {sluice.reason = "ring"} : i64
//>     %trueResult_2, %falseResult_3 = cond_br %25#0, %28 : i64
//>     sink %falseResult_3 : i64
//>     %29 = arith.muli %1#1, %1#0 {sluice.class = "multiply", sluice.credits = 1 : i64, sluice.latency = 1 : i64, sluice.shared = 0 : i64} : i8
//>     %30 = arith.extui %29 {sluice.class = "wire"} : i8 to i16
//>     %31 = arith.addi %falseResult, %30 {sluice.class = "add"} : i16
//>     %32:2 = extmemory[ld = 1, st = 0] (%arg0 : memref<16xi16>) (%addressResults) {id = 0 : i32, sluice.name = "a"} : (i64) -> (i16, none)
//>     sink %32#1 : none
//>     %33:2 = extmemory[ld = 1, st = 0] (%arg1 : memref<16xi16>) (%addressResults_1) {id = 1 : i32, sluice.name = "b"} : (i64) -> (i16, none)
//>     sink %33#1 : none
//>     return %31, %0#0 : i16, none
//>   }
//> }
