// passes: directives, inline-callees, normalise, affine-to-scf, unroll, flatten-memrefs, canonicalise, expand, licm, forward, promote, if-convert, licm, forward, canonicalise, annotate, narrow, tidy, rewrite, tidy, hoist-from-guards, copies, schedule

// The exclusive or goes from one iteration to the address of the next read without a register: one iteration in every cycle.
func.func @chase(%next: memref<256xi8>, %first: i8) -> i8 {
  %last = affine.for %i = 0 to 100 iter_args(%at = %first) -> (i8) {
    %index = arith.index_castui %at : i8 to index
    %read = memref.load %next[%index] : memref<256xi8>
    %count = arith.index_cast %i : index to i8
    %made = arith.xori %read, %count : i8
    affine.yield %made : i8
  }
  return %last : i8
}

//> module attributes {sluice.clock_period_ns = 5.000000e+00 : f64, sluice.device = "generic"} {
//>   func.func @chase(%arg0: memref<256xi8>, %arg1: i8) -> i8 attributes {sluice.arguments = [{name = "next", shape = array<i64: 256>, type = memref<256xi8>, width = 8 : i64}, {name = "first", type = i8, width = 8 : i64}], sluice.cycles = 104 : i64, sluice.dependences = [], sluice.depth = 2 : i64, sluice.results = [{type = i8, width = 8 : i64}]} {
//>     %c0_i8 = arith.constant 0 : i8
//>     %c100_i8 = arith.constant 100 : i8
//>     %c1_i8 = arith.constant 1 : i8
//>     %0 = scf.for %arg2 = %c0_i8 to %c100_i8 step %c1_i8 iter_args(%arg3 = %arg1) -> (i8)  : i8 {
//>       %1 = arith.index_castui %arg3 : i8 to index
//>       %2 = memref.load %arg0[%1] {sluice.access = 0 : i64, sluice.class = "memory_read", sluice.latency = 1 : i64, sluice.start = 0 : i64} : memref<256xi8>
//>       %3 = arith.trunci %arg2 {sluice.class = "wire", sluice.start = 1 : i64} : i8 to i7
//>       %4 = arith.extui %3 {sluice.class = "wire", sluice.start = 1 : i64} : i7 to i8
//>       %5 = arith.xori %2, %4 {sluice.class = "logic", sluice.start = 1 : i64} : i8
//>       scf.yield %5 : i8
//>     } {sluice.bound = "II 1: a new iteration starts in every cycle\0Alength 2 cycles: path `%read -> %made -> end in line 10` takes 2 cycles\0Aregisters 0 bits, minimal for this length and order on the units\0A", sluice.class = "scf.for", sluice.cycles = 102 : i64, sluice.dependences = [], sluice.depth = 2 : i64, sluice.ii = 1 : i64, sluice.lower_bound = 1 : i64, sluice.start = 0 : i64, sluice.trip_count = 100 : i64}
//>     return %0 : i8
//>   }
//> }
