// passes: directives, inline-callees, normalise, affine-to-scf, unroll, flatten-memrefs, canonicalise, expand, licm, forward, promote, if-convert, licm, forward, canonicalise, annotate, narrow, tidy, rewrite, tidy, hoist-from-guards, copies, schedule

// One iteration in every cycle; the report of the loop stands in its attributes.
func.func @dot(%a: memref<16xi16>, %b: memref<16xi16>) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = affine.for %i = 0 to 16 iter_args(%acc = %zero) -> (i32) {
    %x = affine.load %a[%i] : memref<16xi16>
    %y = affine.load %b[%i] : memref<16xi16>
    %xe = arith.extsi %x : i16 to i32
    %ye = arith.extsi %y : i16 to i32
    %p = arith.muli %xe, %ye : i32
    %next = arith.addi %acc, %p : i32
    affine.yield %next : i32
  }
  return %sum : i32
}

//> module attributes {sluice.clock_period_ns = 5.000000e+00 : f64, sluice.device = "generic"} {
//>   func.func @dot(%arg0: memref<16xi16>, %arg1: memref<16xi16>) -> i32 attributes {sluice.arguments = [{name = "a", shape = array<i64: 16>, type = memref<16xi16>, width = 16 : i64}, {name = "b", shape = array<i64: 16>, type = memref<16xi16>, width = 16 : i64}], sluice.cycles = 21 : i64, sluice.dependences = [], sluice.depth = 2 : i64, sluice.results = [{type = i32, width = 32 : i64}]} {
//>     %c0_i6 = arith.constant 0 : i6
//>     %c16_i6 = arith.constant 16 : i6
//>     %c1_i6 = arith.constant 1 : i6
//>     %c0_i32 = arith.constant 0 : i32
//>     %0 = scf.for %arg2 = %c0_i6 to %c16_i6 step %c1_i6 iter_args(%arg3 = %c0_i32) -> (i32)  : i6 {
//>       %1 = arith.trunci %arg2 {sluice.class = "wire", sluice.start = 0 : i64} : i6 to i4
//>       %2 = arith.index_castui %1 : i4 to index
//>       %3 = memref.load %arg0[%2] {sluice.access = 0 : i64, sluice.class = "memory_read", sluice.latency = 1 : i64, sluice.start = 0 : i64} : memref<16xi16>
//>       %4 = memref.load %arg1[%2] {sluice.access = 1 : i64, sluice.class = "memory_read", sluice.latency = 1 : i64, sluice.start = 0 : i64} : memref<16xi16>
//>       %5 = arith.extsi %3 {sluice.class = "wire", sluice.start = 1 : i64} : i16 to i32
//>       %6 = arith.extsi %4 {sluice.class = "wire", sluice.start = 1 : i64} : i16 to i32
//>       %7 = arith.muli %5, %6 {sluice.class = "multiply", sluice.latency = 1 : i64, sluice.start = 1 : i64, sluice.structure = "output_registers"} : i32
//>       %8 = arith.addi %arg3, %7 {sluice.class = "add", sluice.start = 2 : i64} : i32
//>       scf.yield %8 : i32
//>     } {sluice.bound = "II 1: a new iteration starts in every cycle\0Alength 3 cycles: path `arith.trunci in line 7 -> %x -> arith.extsi in line 11 -> %p -> %next -> end in line 13` takes 3 cycles\0Aregisters 32 bits, minimal for this length and order on the units\0A", sluice.class = "scf.for", sluice.cycles = 19 : i64, sluice.dependences = [], sluice.depth = 3 : i64, sluice.ii = 1 : i64, sluice.lower_bound = 1 : i64, sluice.start = 0 : i64, sluice.trip_count = 16 : i64}
//>     return %0 : i32
//>   }
//> }
