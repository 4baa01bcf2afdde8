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
//>     %2 = mux %26#0 [%1, %trueResult_2] : i1, i6
//>     %3:3 = fork [3] %2 : i6
//>     %4 = source
//>     %5 = constant %4 {value = 0 : i16} : i16
//>     %6 = buffer [2] seq %26#1 {sluice.cut = "data", sluice.reason = "throughput"} : i1
//>     %7 = mux %6 [%5, %trueResult] : i1, i16
//>     %8 = arith.trunci %3#2 {sluice.class = "wire"} : i6 to i4
//>     %9:2 = fork [2] %8 : i4
//>     %10 = source
//>     %dataResult, %addressResults = load [%9#1] %32#0, %10 : i4, i16
//>     %11:2 = fork [2] %dataResult : i16
//>     %12 = source
//>     %dataResult_0, %addressResults_1 = load [%9#0] %33#0, %12 : i4, i16
//>     %13 = arith.muli %11#1, %dataResult_0 {sluice.class = "multiply"} : i16
//>     %14 = buffer [1] seq %13 {sluice.cut = "data", sluice.reason = "clock"} : i16
//>     %15 = buffer [1] seq %11#0 {sluice.cut = "data", sluice.reason = "throughput"} : i16
//>     %16 = arith.addi %14, %15 {sluice.class = "add"} : i16
//>     %17 = arith.addi %7, %16 {sluice.class = "add"} : i16
//>     %18 = source
//>     %19 = constant %18 {value = 15 : i6} : i6
//>     %20 = arith.cmpi slt, %3#1, %19 {sluice.class = "compare_order"} : i6
//>     %21:2 = fork [2] %20 : i1
//>     %22 = source
//>     %23 = constant %22 {value = 1 : i6} : i6
//>     %24 = arith.addi %3#0, %23 {sluice.class = "add"} : i6
//>     %25 = buffer [1] seq %21#1 {initValues = [0], sluice.ii = 1 : i64} : i1
//>     %26:2 = fork [2] %25 : i1
//>     %27 = buffer [1] seq %21#0 : i1
//>     %28:2 = fork [2] %27 : i1
//>     %29 = buffer [1] seq %17 {sluice.reason = "ring"} : i16
//>     %30 = buffer [2] seq %28#1 {sluice.cut = "data", sluice.reason = "throughput"} : i1
//>     %trueResult, %falseResult = cond_br %30, %29 : i16
//>     %31 = buffer [1] seq %24 {sluice.reason = "ring"} : i6
//>     %trueResult_2, %falseResult_3 = cond_br %28#0, %31 : i6
//>     sink %falseResult_3 : i6
//>     %32:2 = extmemory[ld = 1, st = 0] (%arg0 : memref<16xi16>) (%addressResults) {id = 0 : i32, sluice.name = "a"} : (i4) -> (i16, none)
//>     sink %32#1 : none
//>     %33:2 = extmemory[ld = 1, st = 0] (%arg1 : memref<16xi16>) (%addressResults_1) {id = 1 : i32, sluice.name = "b"} : (i4) -> (i16, none)
//>     sink %33#1 : none
//>     return %falseResult, %0#0 : i16, none
//>   }
//> }
