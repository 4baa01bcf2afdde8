// passes: lower-to-handshake, place-buffers

// Rings get registers in front of the branch, the shorter of two paths the room that the longer one needs.
func.func @ring(%a: memref<16xi16>, %b: memref<16xi16>) -> i16 attributes {sluice.arguments = [{name = "a"}, {name = "b"}], sluice.dependences = []} {
  %c0 = arith.constant 0 : i6
  %c1 = arith.constant 1 : i6
  %c16 = arith.constant 16 : i6
  %zero = arith.constant 0 : i16
  %sum = scf.for %i = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> (i16) : i6 {
    %0 = arith.trunci %i : i6 to i4
    %1 = arith.index_castui %0 : i4 to index
    %x = memref.load %a[%1] {sluice.access = 0 : i64} : memref<16xi16>
    %y = memref.load %b[%1] {sluice.access = 1 : i64} : memref<16xi16>
    %p = arith.muli %x, %y : i16
    %s = arith.addi %p, %x : i16
    %more = arith.addi %acc, %s : i16
    scf.yield %more : i16
  } {sluice.trip_count = 16 : i64, sluice.dependences = []}
  return %sum : i16
}

//> module {
//>   handshake.func @ring(%arg0: memref<16xi16>, %arg1: memref<16xi16>, %arg2: none, ...) -> (i16, none) attributes {argNames = ["a", "b", "start"], resNames = ["result0", "done"], sluice.arguments = [{name = "a"}, {name = "b"}]} {
//>     %0:2 = fork [2] %arg2 : none
//>     %1 = constant %0#1 {value = 0 : i6} : i6
//>     %2 = mux %28#0 [%1, %trueResult_2] : i1, i6
//>     %3:3 = fork [3] %2 : i6
//>     %4 = source
//>     %5 = constant %4 {value = 0 : i16} : i16
//>     %6 = mux %28#1 [%5, %trueResult] : i1, i16
//>     %7 = arith.trunci %3#2 {sluice.class = "wire"} : i6 to i4
//>     %8:2 = fork [2] %7 : i4
//>     %9 = source
//>     %dataResult, %addressResults = load [%8#1] %34#0, %9 : i4, i16
//>     %10:2 = fork [2] %dataResult : i16
//>     %11 = source
//>     %dataResult_0, %addressResults_1 = load [%8#0] %35#0, %11 : i4, i16
//>     %12 = buffer [1] seq %10#1 {sluice.cut = "data", sluice.reason = "clock"} : i16
//>     %13 = buffer [1] seq %dataResult_0 {sluice.cut = "data", sluice.reason = "clock"} : i16
//>     %14 = arith.muli %12, %13 {sluice.class = "multiply"} : i16
//>     %15 = buffer [1] fifo %10#0 {sluice.reason = "throughput"} : i16
//>     %16 = arith.addi %14, %15 {sluice.class = "add"} : i16
//>     %17 = buffer [1] seq %16 {sluice.cut = "data", sluice.reason = "clock"} : i16
//>     %18 = buffer [1] fifo %6 {sluice.reason = "throughput"} : i16
//>     %19 = arith.addi %18, %17 {sluice.class = "add"} : i16
//>     %20 = source
//>     %21 = constant %20 {value = 15 : i6} : i6
//>     %22 = arith.cmpi slt, %3#1, %21 {sluice.class = "compare_order"} : i6
//>     %23:2 = fork [2] %22 : i1
//>     %24 = source
//>     %25 = constant %24 {value = 1 : i6} : i6
//>     %26 = arith.addi %3#0, %25 {sluice.class = "add"} : i6
//>     %27 = buffer [1] seq %23#1 {initValues = [0]} : i1
//>     %28:2 = fork [2] %27 : i1
//>     %29 = buffer [1] seq %23#0 : i1
//>     %30:2 = fork [2] %29 : i1
//>     %31 = buffer [1] seq %19 {sluice.reason = "ring"} : i16
//>     %32 = buffer [1] fifo %30#1 {sluice.reason = "throughput"} : i1
//>     %trueResult, %falseResult = cond_br %32, %31 : i16
//>     %33 = buffer [1] seq %26 {sluice.reason = "ring"} : i6
//>     %trueResult_2, %falseResult_3 = cond_br %30#0, %33 : i6
//>     sink %falseResult_3 : i6
//>     %34:2 = extmemory[ld = 1, st = 0] (%arg0 : memref<16xi16>) (%addressResults) {id = 0 : i32, sluice.name = "a"} : (i4) -> (i16, none)
//>     sink %34#1 : none
//>     %35:2 = extmemory[ld = 1, st = 0] (%arg1 : memref<16xi16>) (%addressResults_1) {id = 1 : i32, sluice.name = "b"} : (i4) -> (i16, none)
//>     sink %35#1 : none
//>     return %falseResult, %0#0 : i16, none
//>   }
//> }
