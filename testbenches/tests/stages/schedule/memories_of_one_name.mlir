// passes: directives, inline-callees, normalise, affine-to-scf, unroll, flatten-memrefs, canonicalise, expand, licm, forward, promote, if-convert, licm, forward, canonicalise, annotate, narrow, tidy, rewrite, tidy, hoist-from-guards, copies, schedule

// A callee with a local array is inlined twice: two memories with one name, each with its own ports, so that the II is 2 and not 4.
func.func @kernel(%a: memref<16xi16>, %b: memref<16xi16>) {
  affine.for %i = 0 to 16 {
    %x = affine.load %a[%i] : memref<16xi16>
    %s = func.call @line(%x, %i) : (i16, index) -> i16
    %t = func.call @line(%s, %i) : (i16, index) -> i16
    affine.store %t, %b[%i] : memref<16xi16>
  }
  return
}
func.func private @line(%x: i16, %i: index) -> i16 {
  %l = memref.alloca() : memref<16xi16>
  %k = arith.constant 3 : index
  memref.store %x, %l[%i] : memref<16xi16>
  %n = arith.xori %i, %k : index
  memref.store %x, %l[%n] : memref<16xi16>
  %old = memref.load %l[%n] : memref<16xi16>
  return %old : i16
}

//> module attributes {sluice.clock_period_ns = 5.000000e+00 : f64, sluice.device = "generic"} {
//>   func.func @kernel(%arg0: memref<16xi16>, %arg1: memref<16xi16>) attributes {sluice.arguments = [{name = "a", shape = array<i64: 16>, type = memref<16xi16>, width = 16 : i64}, {name = "b", shape = array<i64: 16>, type = memref<16xi16>, width = 16 : i64}], sluice.cycles = 35 : i64, sluice.dependences = [], sluice.depth = 1 : i64, sluice.results = []} {
//>     %alloca = memref.alloca() : memref<16xi16>
//>     %alloca_0 = memref.alloca() : memref<16xi16>
//>     %c0_i6 = arith.constant 0 : i6
//>     %c16_i6 = arith.constant 16 : i6
//>     %c1_i6 = arith.constant 1 : i6
//>     scf.for %arg2 = %c0_i6 to %c16_i6 step %c1_i6  : i6 {
//>       %0 = arith.trunci %arg2 {sluice.class = "wire", sluice.start = 0 : i64} : i6 to i4
//>       %1 = arith.index_castui %0 : i4 to index
//>       %2 = memref.load %arg0[%1] {sluice.access = 0 : i64, sluice.class = "memory_read", sluice.latency = 1 : i64, sluice.start = 0 : i64} : memref<16xi16>
//>       memref.store %2, %alloca_0[%1] {sluice.access = 1 : i64, sluice.class = "memory_write", sluice.start = 1 : i64} : memref<16xi16>
//>       %c3_i4 = arith.constant 3 : i4
//>       %3 = arith.xori %0, %c3_i4 {sluice.class = "logic", sluice.start = 1 : i64} : i4
//>       %4 = arith.index_castui %3 : i4 to index
//>       memref.store %2, %alloca_0[%4] {sluice.access = 2 : i64, sluice.class = "memory_write", sluice.start = 2 : i64} : memref<16xi16>
//>       memref.store %2, %alloca[%1] {sluice.access = 3 : i64, sluice.class = "memory_write", sluice.start = 1 : i64} : memref<16xi16>
//>       memref.store %2, %alloca[%4] {sluice.access = 4 : i64, sluice.class = "memory_write", sluice.start = 2 : i64} : memref<16xi16>
//>       memref.store %2, %arg1[%1] {sluice.access = 5 : i64, sluice.class = "memory_write", sluice.start = 1 : i64} : memref<16xi16>
//>     } {sluice.bound = "II 2: `memref.store in line 16` needs II >= 2: recurrence `memref.store in line 16 -> memref.store in line 18` takes 2 cycles over distance 1\0Alength 3 cycles: path `arith.trunci in line 6 -> %x -> memref.store in line 16 -> memref.store in line 18` takes 3 cycles\0Aregisters 24 bits, minimal for this length and order on the units\0A", sluice.class = "scf.for", sluice.cycles = 34 : i64, sluice.dependences = [array<i64: 1, 2, 0>, array<i64: 1, 2, 1>, array<i64: 2, 1, 1>, array<i64: 2, 2, 1>, array<i64: 3, 4, 0>, array<i64: 3, 4, 1>, array<i64: 4, 3, 1>, array<i64: 4, 4, 1>], sluice.depth = 3 : i64, sluice.ii = 2 : i64, sluice.lower_bound = 2 : i64, sluice.start = 0 : i64, sluice.trip_count = 16 : i64}
//>     return
//>   }
//> }
