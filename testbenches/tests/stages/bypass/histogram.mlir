// passes: canonicalise, annotate, bypass, canonicalise

// A counter that the iteration before has changed is taken from a register; the dependence on older stores is two iterations long.
func.func @histogram(%x: memref<16xi8>, %count: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %one = arith.constant 1 : i32
  %mask = arith.constant 7 : i8
  scf.for %i = %c0 to %c16 step %c1 {
    %value = memref.load %x[%i] : memref<16xi8>
    %low = arith.andi %value, %mask : i8
    %bin = arith.index_castui %low : i8 to index
    %old = memref.load %count[%bin] : memref<8xi32>
    %new = arith.addi %old, %one : i32
    memref.store %new, %count[%bin] : memref<8xi32>
  } {sluice.bypass = 1 : i64}
  return
}

//> module {
//>   func.func @histogram(%arg0: memref<16xi8>, %arg1: memref<8xi32>) attributes {sluice.dependences = []} {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c16 = arith.constant 16 : index
//>     %c1_i32 = arith.constant 1 : i32
//>     %c7_i8 = arith.constant 7 : i8
//>     %c0_i3 = arith.constant 0 : i3
//>     %c0_i32 = arith.constant 0 : i32
//>     %false = arith.constant false
//>     %0:3 = scf.for %arg2 = %c0 to %c16 step %c1 iter_args(%arg3 = %c0_i3, %arg4 = %c0_i32, %arg5 = %false) -> (i3, i32, i1) {
//>       %1 = memref.load %arg0[%arg2] {sluice.access = 0 : i64} : memref<16xi8>
//>       %2 = arith.andi %1, %c7_i8 : i8
//>       %3 = arith.index_castui %2 : i8 to index
//>       %4 = memref.load %arg1[%3] {sluice.access = 1 : i64} : memref<8xi32>
//>       %5 = arith.index_cast %3 : index to i3
//>       %6 = arith.cmpi eq, %5, %arg3 : i3
//>       %7 = arith.andi %6, %arg5 : i1
//>       %8 = arith.select %7, %arg4, %4 : i32
//>       %9 = arith.addi %8, %c1_i32 : i32
//>       memref.store %9, %arg1[%3] {sluice.access = 2 : i64} : memref<8xi32>
//>       %true = arith.constant true
//>       scf.yield %5, %9, %true : i3, i32, i1
//>     } {sluice.bypass = 1 : i64, sluice.dependences = [array<i64: 1, 2, 0>, array<i64: 1, 2, 1>, array<i64: 2, 1, 2>, array<i64: 2, 2, 1>], sluice.trip_count = 16 : i64}
//>     return
//>   }
//> }
