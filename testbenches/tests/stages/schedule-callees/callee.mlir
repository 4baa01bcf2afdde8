// passes: annotate, narrow, schedule-callees, lower-to-handshake
// config: {style: elastic, top: k}
// A function that stays is a circuit beside the graph; its instance has one token in and one out, and is told the memories.
func.func private @add(%m: memref<4xi8>, %by: i8) -> i8 attributes {sluice.no_inline} {
  %at = arith.constant 1 : index
  %v = memref.load %m[%at] : memref<4xi8>
  %s = arith.addi %v, %by : i8
  memref.store %s, %m[%at] : memref<4xi8>
  return %s : i8
}
func.func @k(%x: memref<4xi8>, %n: i8, %go: i1) -> i8 {
  %zero = arith.constant 0 : i8
  %first = arith.constant 1 : index
  %r = scf.if %go -> (i8) {
    %s = func.call @add(%x, %n) : (memref<4xi8>, i8) -> i8
    scf.yield %s : i8
  } else {
    scf.yield %zero : i8
  }
  %v = memref.load %x[%first] : memref<4xi8>
  %t = arith.addi %r, %v : i8
  return %t : i8
}

//> module {
//>   handshake.func private @add_call(i8, none, ...) -> i8 attributes {argNames = ["in0", "in1"], resNames = ["out0"], sluice.circuit = @add, sluice.latency = 3 : i64}
//>   handshake.func @k(%arg0: memref<4xi8>, %arg1: i8, %arg2: i1, %arg3: none, ...) -> (i8, none) attributes {argNames = ["arg0", "arg1", "arg2", "start"], resNames = ["result0", "done"]} {
//>     %0:4 = fork [4] %arg2 : i1
//>     %trueResult, %falseResult = cond_br %0#3, %arg3 : none
//>     %trueResult_0, %falseResult_1 = cond_br %0#2, %arg1 : i8
//>     sink %falseResult_1 : i8
//>     %1 = instance @add_call(%trueResult_0, %trueResult) {sluice.latency = 3 : i64, sluice.memories = [0 : i32], sluice.name = "add"} : (i8, none) -> i8
//>     %2:2 = fork [2] %1 : i8
//>     %3 = join %2#1 : i8
//>     %4 = source
//>     %5 = constant %4 {value = 0 : i8} : i8
//>     %6 = mux %0#1 [%5, %2#0] : i1, i8
//>     %7 = mux %0#0 [%falseResult, %3] : i1, none
//>     %8 = source
//>     %9 = constant %8 {value = 1 : i2} : i2
//>     %dataResult, %addressResults = load [%9] %11#0, %7 : i2, i8
//>     %10 = arith.addi %6, %dataResult : i8
//>     %11:2 = extmemory[ld = 1, st = 0] (%arg0 : memref<4xi8>) (%addressResults) {id = 0 : i32, sluice.name = "x"} : (i2) -> (i8, none)
//>     return %10, %11#1 : i8, none
//>   }
//>   hw.module @add(in %clock : !seq.clock, in %reset : i1, in %start : i1, in %m_rdata : i8, in %by : i8, out ready : i1, out done : i1, out result0 : i8, out m_raddr : i2, out m_ren : i1, out m_waddr : i2, out m_wen : i1, out m_wdata : i8) attributes {sluice.interface = [{depth = 4 : i64, kind = "memory", name = "m", read = true, shape = array<i64: 4>, source = "m", width = 8 : i64, write = true}, {kind = "scalar", name = "by", source = "by", width = 8 : i64}, {kind = "result", name = "result0", width = 8 : i64}]} {
//>     %true = hw.constant true
//>     %0 = comb.xor %busy, %true : i1
//>     %1 = comb.and %start, %0 : i1
//>     %by_r = seq.compreg.ce %by, %clock, %1 : i8
//>     %c1_i2 = hw.constant 1 : i2
//>     %false = hw.constant false
//>     %run_t0 = seq.compreg %1, %clock reset %reset, %false {sluice.block = 0 : i64, sluice.frame = "run", sluice.time = 0 : i64} : i1
//>     %2 = comb.add %m_rdata, %by_r : i8
//>     %run_t1 = seq.compreg %run_t0, %clock reset %reset, %false {sluice.block = 0 : i64, sluice.frame = "run", sluice.time = 1 : i64} : i1
//>     %result0_r = seq.compreg.ce %2, %clock, %run_t1 : i8
//>     %3 = comb.xor %run_t1, %true : i1
//>     %4 = comb.and %busy, %3 : i1
//>     %5 = comb.or %1, %4 : i1
//>     %busy = seq.compreg %5, %clock reset %reset, %false : i1
//>     %done_r = seq.compreg %run_t1, %clock reset %reset, %false : i1
//>     hw.output %0, %done_r, %result0_r, %c1_i2, %run_t0, %c1_i2, %run_t1, %2 : i1, i1, i8, i2, i1, i2, i1, i8
//>   }
//> }
