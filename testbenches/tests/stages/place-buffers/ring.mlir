// passes: lower-to-handshake, place-buffers

// Rings get registers where tokens come back, or where they wait for their condition; the shorter of two paths the room that the longer one needs.
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
//>     %2 = buffer [1] fifo %trueResult_2 {sluice.reason = "ring"} : i6
//>     %3 = mux %28#0 [%1, %2] : i1, i6
//>     %4:3 = fork [3] %3 : i6
//>     %5 = source
//>     %6 = constant %5 {value = 0 : i16} : i16
//>     %7 = buffer [1] seq %trueResult {sluice.reason = "ring"} : i16
//>     %8 = buffer [2] seq %28#1 {sluice.cut = "data", sluice.reason = "throughput"} : i1
//>     %9 = mux %8 [%6, %7] : i1, i16
//>     %10 = arith.trunci %4#2 {sluice.class = "wire"} : i6 to i4
//>     %11:2 = fork [2] %10 : i4
//>     %12 = source
//>     %dataResult, %addressResults = load [%11#1] %33#0, %12 : i4, i16
//>     %13:2 = fork [2] %dataResult : i16
//>     %14 = source
//>     %dataResult_0, %addressResults_1 = load [%11#0] %34#0, %14 : i4, i16
//>     %15 = arith.muli %13#1, %dataResult_0 {sluice.class = "multiply"} : i16
//>     %16 = buffer [1] seq %15 {sluice.cut = "data", sluice.reason = "clock"} : i16
//>     %17 = buffer [1] seq %13#0 {sluice.cut = "data", sluice.reason = "throughput"} : i16
//>     %18 = arith.addi %16, %17 {sluice.class = "add"} : i16
//>     %19 = arith.addi %9, %18 {sluice.class = "add"} : i16
//>     %20 = source
//>     %21 = constant %20 {value = 15 : i6} : i6
//>     %22 = arith.cmpi slt, %4#1, %21 {sluice.class = "compare_order"} : i6
//>     %23:2 = fork [2] %22 : i1
//>     %24 = source
//>     %25 = constant %24 {value = 1 : i6} : i6
//>     %26 = arith.addi %4#0, %25 {sluice.class = "add"} : i6
//>     %27 = buffer [1] seq %23#1 {initValues = [0], sluice.ii = 1 : i64} : i1
//>     %28:2 = fork [2] %27 : i1
//>     %29 = buffer [1] seq %23#0 : i1
//>     %30:2 = fork [2] %29 : i1
//>     %31 = buffer [1] seq %30#1 {sluice.cut = "data", sluice.reason = "throughput"} : i1
//>     %trueResult, %falseResult = cond_br %31, %19 : i16
//>     %32 = buffer [1] seq %26 {sluice.cut = "data", sluice.reason = "ring"} : i6
//>     %trueResult_2, %falseResult_3 = cond_br %30#0, %32 : i6
//>     sink %falseResult_3 : i6
//>     %33:2 = extmemory[ld = 1, st = 0] (%arg0 : memref<16xi16>) (%addressResults) {id = 0 : i32, sluice.name = "a"} : (i4) -> (i16, none)
//>     sink %33#1 : none
//>     %34:2 = extmemory[ld = 1, st = 0] (%arg1 : memref<16xi16>) (%addressResults_1) {id = 1 : i32, sluice.name = "b"} : (i4) -> (i16, none)
//>     sink %34#1 : none
//>     return %falseResult, %0#0 : i16, none
//>   }
//> }
