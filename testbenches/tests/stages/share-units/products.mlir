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
//>   handshake.func @products(%arg0: memref<16xi16>, %arg1: memref<16xi16>, %arg2: i8, %arg3: none, ...) -> (i16, none) attributes {argNames = ["a", "b", "arg2", "start"], resNames = ["result0", "done"], sluice.arguments = [{name = "a"}, {name = "b"}, {}], sluice.deadlock_free = "proved: no cycle in 207 waits of 50 channels and 1 loop"} {
//>     %0:2 = fork [2] %arg3 : none
//>     %1:2 = fork [2] %arg2 : i8
//>     %2 = constant %0#1 {value = 0 : i64} : i64
//>     %3 = buffer [1] fifo %trueResult_2 {sluice.reason = "ring"} : i64
//>     %4 = mux %25#0 [%2, %3] : i1, i64
//>     %5:4 = fork [4] %4 : i64
//>     %6 = source
//>     %7 = constant %6 {value = 0 : i16} : i16
//>     %8 = buffer [1] seq %trueResult {sluice.reason = "ring"} : i16
//>     %9 = buffer [2] seq %25#1 {sluice.cut = "data", sluice.reason = "throughput"} : i1
//>     %10 = mux %9 [%7, %8] : i1, i16
//>     %11 = source
//>     %dataResult, %addressResults = load [%5#3] %33#0, %11 : i64, i16
//>     %12 = source
//>     %dataResult_0, %addressResults_1 = load [%5#2] %34#0, %12 : i64, i16
//>     %13 = arith.muli %dataResult, %dataResult_0 {sluice.class = "multiply", sluice.credits = 2 : i64, sluice.latency = 1 : i64, sluice.shared = 0 : i64} : i16
//>     %14:2 = fork [2] %13 : i16
//>     %15 = arith.muli %14#1, %14#0 {sluice.class = "multiply"} : i16
//>     %16 = arith.addi %10, %15 {sluice.class = "add"} : i16
//>     %17 = source
//>     %18 = constant %17 {value = 15 : i64} : i64
//>     %19 = arith.cmpi slt, %5#1, %18 {sluice.class = "compare_order"} : i64
//>     %20:2 = fork [2] %19 : i1
//>     %21 = source
//>     %22 = constant %21 {value = 1 : i64} : i64
//>     %23 = arith.addi %5#0, %22 {sluice.class = "add"} : i64
//>     %24 = buffer [1] seq %20#1 {initValues = [0], sluice.ii = 1 : i64} : i1
//>     %25:2 = fork [2] %24 : i1
//>     %26 = buffer [1] seq %20#0 : i1
//>     %27:2 = fork [2] %26 : i1
//>     %28 = buffer [1] seq %27#1 {sluice.cut = "data", sluice.reason = "throughput"} : i1
//>     %trueResult, %falseResult = cond_br %28, %16 : i16
//>     %29 = buffer [1] seq %23 {sluice.cut = "data", sluice.reason = "ring"} : i64
//>     %trueResult_2, %falseResult_3 = cond_br %27#0, %29 : i64
//>     sink %falseResult_3 : i64
//>     %30 = arith.muli %1#1, %1#0 {sluice.class = "multiply", sluice.credits = 1 : i64, sluice.latency = 1 : i64, sluice.shared = 0 : i64} : i8
//>     %31 = arith.extui %30 {sluice.class = "wire"} : i8 to i16
//>     %32 = arith.addi %falseResult, %31 {sluice.class = "add"} : i16
//>     %33:2 = extmemory[ld = 1, st = 0] (%arg0 : memref<16xi16>) (%addressResults) {id = 0 : i32, sluice.name = "a"} : (i64) -> (i16, none)
//>     sink %33#1 : none
//>     %34:2 = extmemory[ld = 1, st = 0] (%arg1 : memref<16xi16>) (%addressResults_1) {id = 1 : i32, sluice.name = "b"} : (i64) -> (i16, none)
//>     sink %34#1 : none
//>     return %32, %0#0 : i16, none
//>   }
//> }
