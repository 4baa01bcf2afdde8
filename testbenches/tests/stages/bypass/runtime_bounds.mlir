// passes: canonicalise, coalesce, annotate, bypass, canonicalise

// The nest is a `while` loop: what an iteration stored goes through its condition to the next one.
func.func @histogram(%x: memref<16xi8>, %count: memref<8xi32>, %n: i3, %m: i2) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %mask = arith.constant 7 : i8
  %in = arith.index_castui %n : i3 to index
  %im = arith.index_castui %m : i2 to index
  scf.for %i = %c0 to %in step %c1 {
    scf.for %j = %c0 to %im step %c1 {
      %row = arith.muli %i, %c4 : index
      %at = arith.addi %row, %j : index
      %value = memref.load %x[%at] : memref<16xi8>
      %low = arith.andi %value, %mask : i8
      %bin = arith.index_castui %low : i8 to index
      %old = memref.load %count[%bin] : memref<8xi32>
      %new = arith.addi %old, %one : i32
      memref.store %new, %count[%bin] : memref<8xi32>
    }
  } {sluice.bypass = 1 : i64}
  return
}

//> module {
//>   func.func @histogram(%arg0: memref<16xi8>, %arg1: memref<8xi32>, %arg2: i3, %arg3: i2) attributes {sluice.dependences = []} {
//>     %c4 = arith.constant 4 : index
//>     %c1_i32 = arith.constant 1 : i32
//>     %c7_i8 = arith.constant 7 : i8
//>     %0 = arith.index_castui %arg2 : i3 to index
//>     %1 = arith.index_castui %arg3 : i2 to index
//>     %c0_i3 = arith.constant 0 : i3
//>     %2 = arith.index_cast %0 : index to i3
//>     %c0_i2 = arith.constant 0 : i2
//>     %3 = arith.index_cast %1 : index to i2
//>     %c0 = arith.constant 0 : index
//>     %4 = arith.cmpi slt, %c0, %0 : index
//>     %5 = arith.cmpi slt, %c0, %1 : index
//>     %6 = arith.andi %4, %5 : i1
//>     %c0_i32 = arith.constant 0 : i32
//>     %false = arith.constant false
//>     %7:6 = scf.while (%arg4 = %c0_i3, %arg5 = %c0_i2, %arg6 = %6, %arg7 = %c0_i3, %arg8 = %c0_i32, %arg9 = %false) : (i3, i2, i1, i3, i32, i1) -> (i3, i2, i1, i3, i32, i1) {
//>       scf.condition(%arg6) %arg4, %arg5, %arg6, %arg7, %arg8, %arg9 : i3, i2, i1, i3, i32, i1
//>     } do {
//>     ^bb0(%arg4: i3, %arg5: i2, %arg6: i1, %arg7: i3, %arg8: i32, %arg9: i1):
//>       %8 = arith.index_castui %arg4 : i3 to index
//>       %9 = arith.index_castui %arg5 : i2 to index
//>       %10 = arith.muli %8, %c4 : index
//>       %11 = arith.addi %10, %9 : index
//>       %12 = memref.load %arg0[%11] {sluice.access = 0 : i64} : memref<16xi8>
//>       %13 = arith.andi %12, %c7_i8 : i8
//>       %14 = arith.index_castui %13 : i8 to index
//>       %15 = memref.load %arg1[%14] {sluice.access = 1 : i64} : memref<8xi32>
//>       %16 = arith.index_cast %14 : index to i3
//>       %17 = arith.cmpi eq, %16, %arg7 : i3
//>       %18 = arith.andi %17, %arg9 : i1
//>       %19 = arith.select %18, %arg8, %15 : i32
//>       %20 = arith.addi %19, %c1_i32 : i32
//>       memref.store %20, %arg1[%14] {sluice.access = 2 : i64} : memref<8xi32>
//>       %c1_i2 = arith.constant 1 : i2
//>       %21 = arith.addi %arg5, %c1_i2 : i2
//>       %22 = arith.cmpi eq, %21, %3 : i2
//>       %23 = arith.select %22, %c0_i2, %21 : i2
//>       %c1_i3 = arith.constant 1 : i3
//>       %24 = arith.addi %arg4, %c1_i3 : i3
//>       %25 = arith.cmpi eq, %24, %2 : i3
//>       %26 = arith.select %25, %c0_i3, %24 : i3
//>       %27 = arith.select %22, %26, %arg4 : i3
//>       %28 = arith.andi %22, %25 : i1
//>       %true = arith.constant true
//>       %29 = arith.xori %28, %true : i1
//>       scf.yield %27, %23, %29, %16, %20, %true : i3, i2, i1, i3, i32, i1
//>     } attributes {sluice.bypass = 1 : i64, sluice.dependences = [array<i64: 1, 2, 0>, array<i64: 1, 2, 1>, array<i64: 2, 1, 2>, array<i64: 2, 2, 1>], sluice.idle_steps = 0 : i64}
//>     return
//>   }
//> }
