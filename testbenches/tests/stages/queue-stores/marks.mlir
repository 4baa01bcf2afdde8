// passes: queue-stores
// config: {lsq: everywhere}

// The store of a loop whose loads may read what it wrote before is marked; the one in front of the loop is not.
func.func @histogram(%x: memref<64xi4>, %h: memref<16xi8>) attributes {sluice.arguments = [{name = "x"}, {name = "h"}], sluice.dependences = [array<i64: 0, 1, 0>]} {
  %c0 = arith.constant 0 : i7
  %c1 = arith.constant 1 : i7
  %c64 = arith.constant 64 : i7
  %zero = arith.constant 0 : i8
  %first = arith.constant 0 : index
  memref.store %zero, %h[%first] {sluice.access = 3 : i64} : memref<16xi8>
  scf.for %i = %c0 to %c64 step %c1 : i7 {
    %at = arith.index_castui %i : i7 to index
    %bin = memref.load %x[%at] {sluice.access = 0 : i64} : memref<64xi4>
    %cell = arith.index_castui %bin : i4 to index
    %n = memref.load %h[%cell] {sluice.access = 1 : i64} : memref<16xi8>
    %one = arith.constant 1 : i8
    %more = arith.addi %n, %one : i8
    memref.store %more, %h[%cell] {sluice.access = 2 : i64} : memref<16xi8>
  } {sluice.trip_count = 64 : i64, sluice.dependences = [array<i64: 1, 2, 0>, array<i64: 2, 1, 1>, array<i64: 2, 2, 1>]}
  return
}

// Nothing in the loop reads what its store wrote.
func.func @copied(%x: memref<64xi4>, %y: memref<64xi4>) attributes {sluice.arguments = [{name = "x"}, {name = "y"}], sluice.dependences = []} {
  %c0 = arith.constant 0 : i7
  %c1 = arith.constant 1 : i7
  %c64 = arith.constant 64 : i7
  scf.for %i = %c0 to %c64 step %c1 : i7 {
    %at = arith.index_castui %i : i7 to index
    %word = memref.load %x[%at] {sluice.access = 0 : i64} : memref<64xi4>
    memref.store %word, %y[%at] {sluice.access = 1 : i64} : memref<64xi4>
  } {sluice.trip_count = 64 : i64, sluice.dependences = []}
  return
}

// Both of two stores in one loop.
func.func @swapped(%x: memref<64xi4>, %a: memref<64xi6>) attributes {sluice.arguments = [{name = "x"}, {name = "a"}], sluice.dependences = []} {
  %c0 = arith.constant 0 : i7
  %c1 = arith.constant 1 : i7
  %c64 = arith.constant 64 : i7
  scf.for %i = %c0 to %c64 step %c1 : i7 {
    %at = arith.index_castui %i : i7 to index
    %other = memref.load %a[%at] {sluice.access = 0 : i64} : memref<64xi6>
    %to = arith.index_castui %other : i6 to index
    %one = memref.load %x[%at] {sluice.access = 1 : i64} : memref<64xi4>
    %two = memref.load %x[%to] {sluice.access = 2 : i64} : memref<64xi4>
    memref.store %two, %x[%at] {sluice.access = 3 : i64} : memref<64xi4>
    memref.store %one, %x[%to] {sluice.access = 4 : i64} : memref<64xi4>
  } {sluice.trip_count = 64 : i64, sluice.dependences = [array<i64: 1, 3, 0>, array<i64: 2, 3, 0>, array<i64: 1, 4, 0>, array<i64: 2, 4, 0>, array<i64: 3, 4, 0>, array<i64: 3, 1, 1>, array<i64: 3, 2, 1>, array<i64: 4, 1, 1>, array<i64: 4, 2, 1>, array<i64: 3, 3, 1>, array<i64: 4, 3, 1>, array<i64: 4, 4, 1>]}
  return
}

//> module {
//>   func.func @histogram(%arg0: memref<64xi4>, %arg1: memref<16xi8>) attributes {sluice.arguments = [{name = "x"}, {name = "h"}], sluice.dependences = [array<i64: 0, 1, 0>]} {
//>     %c0_i7 = arith.constant 0 : i7
//>     %c1_i7 = arith.constant 1 : i7
//>     %c-64_i7 = arith.constant -64 : i7
//>     %c0_i8 = arith.constant 0 : i8
//>     %c0 = arith.constant 0 : index
//>     memref.store %c0_i8, %arg1[%c0] {sluice.access = 3 : i64} : memref<16xi8>
//>     scf.for %arg2 = %c0_i7 to %c-64_i7 step %c1_i7  : i7 {
//>       %0 = arith.index_castui %arg2 : i7 to index
//>       %1 = memref.load %arg0[%0] {sluice.access = 0 : i64} : memref<64xi4>
//>       %2 = arith.index_castui %1 : i4 to index
//>       %3 = memref.load %arg1[%2] {sluice.access = 1 : i64} : memref<16xi8>
//>       %c1_i8 = arith.constant 1 : i8
//>       %4 = arith.addi %3, %c1_i8 : i8
//>       memref.store %4, %arg1[%2] {sluice.access = 2 : i64, sluice.pending} : memref<16xi8>
//>     } {sluice.dependences = [array<i64: 1, 2, 0>, array<i64: 2, 1, 1>, array<i64: 2, 2, 1>], sluice.trip_count = 64 : i64}
//>     return
//>   }
//>   func.func @copied(%arg0: memref<64xi4>, %arg1: memref<64xi4>) attributes {sluice.arguments = [{name = "x"}, {name = "y"}], sluice.dependences = []} {
//>     %c0_i7 = arith.constant 0 : i7
//>     %c1_i7 = arith.constant 1 : i7
//>     %c-64_i7 = arith.constant -64 : i7
//>     scf.for %arg2 = %c0_i7 to %c-64_i7 step %c1_i7  : i7 {
//>       %0 = arith.index_castui %arg2 : i7 to index
//>       %1 = memref.load %arg0[%0] {sluice.access = 0 : i64} : memref<64xi4>
//>       memref.store %1, %arg1[%0] {sluice.access = 1 : i64} : memref<64xi4>
//>     } {sluice.dependences = [], sluice.trip_count = 64 : i64}
//>     return
//>   }
//>   func.func @swapped(%arg0: memref<64xi4>, %arg1: memref<64xi6>) attributes {sluice.arguments = [{name = "x"}, {name = "a"}], sluice.dependences = []} {
//>     %c0_i7 = arith.constant 0 : i7
//>     %c1_i7 = arith.constant 1 : i7
//>     %c-64_i7 = arith.constant -64 : i7
//>     scf.for %arg2 = %c0_i7 to %c-64_i7 step %c1_i7  : i7 {
//>       %0 = arith.index_castui %arg2 : i7 to index
//>       %1 = memref.load %arg1[%0] {sluice.access = 0 : i64} : memref<64xi6>
//>       %2 = arith.index_castui %1 : i6 to index
//>       %3 = memref.load %arg0[%0] {sluice.access = 1 : i64} : memref<64xi4>
//>       %4 = memref.load %arg0[%2] {sluice.access = 2 : i64} : memref<64xi4>
//>       memref.store %4, %arg0[%0] {sluice.access = 3 : i64, sluice.pending} : memref<64xi4>
//>       memref.store %3, %arg0[%2] {sluice.access = 4 : i64, sluice.pending} : memref<64xi4>
//>     } {sluice.dependences = [array<i64: 1, 3, 0>, array<i64: 2, 3, 0>, array<i64: 1, 4, 0>, array<i64: 2, 4, 0>, array<i64: 3, 4, 0>, array<i64: 3, 1, 1>, array<i64: 3, 2, 1>, array<i64: 4, 1, 1>, array<i64: 4, 2, 1>, array<i64: 3, 3, 1>, array<i64: 4, 3, 1>, array<i64: 4, 4, 1>], sluice.trip_count = 64 : i64}
//>     return
//>   }
//> }
