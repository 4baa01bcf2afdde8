// passes: canonicalise, coalesce, canonicalise

// Bounds from outside: one `while` loop carries the counters; a bit says whether the nest goes on.
func.func @fill(%a: memref<64xi32>, %n: i4, %m: i4) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0 : i32
  %in = arith.index_castui %n : i4 to index
  %im = arith.index_cast %m : i4 to index
  %all = scf.for %i = %c0 to %in step %c1 iter_args(%x = %zero) -> (i32) {
    %row = arith.muli %i, %c8 : index
    %sum = scf.for %j = %c1 to %im step %c1 iter_args(%y = %x) -> (i32) {
      %at = arith.addi %row, %j : index
      %z = memref.load %a[%at] : memref<64xi32>
      %w = arith.addi %y, %z : i32
      scf.yield %w : i32
    }
    scf.yield %sum : i32
  }
  return %all : i32
}

// The load between the loops belongs to the outer loop only, and the second nest has a bound that changes inside.
func.func @apart(%a: memref<64xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<64xi32>
    scf.for %j = %c1 to %n step %c1 {
      memref.store %x, %a[%j] : memref<64xi32>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c1 to %i step %c1 {
      %x = memref.load %a[%i] : memref<64xi32>
      memref.store %x, %a[%j] : memref<64xi32>
    }
  }
  return
}

//> module {
//>   func.func @fill(%arg0: memref<64xi32>, %arg1: i4, %arg2: i4) -> i32 {
//>     %c8 = arith.constant 8 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %0 = arith.index_castui %arg1 : i4 to index
//>     %1 = arith.index_cast %arg2 : i4 to index
//>     %c0_i4 = arith.constant 0 : i4
//>     %2 = arith.index_cast %0 : index to i4
//>     %c1_i3 = arith.constant 1 : i3
//>     %3 = arith.index_cast %1 : index to i3
//>     %c0 = arith.constant 0 : index
//>     %4 = arith.cmpi slt, %c0, %0 : index
//>     %c1 = arith.constant 1 : index
//>     %5 = arith.cmpi slt, %c1, %1 : index
//>     %6 = arith.andi %4, %5 : i1
//>     %7:4 = scf.while (%arg3 = %c0_i32, %arg4 = %c0_i4, %arg5 = %c1_i3, %arg6 = %6) : (i32, i4, i3, i1) -> (i32, i4, i3, i1) {
//>       scf.condition(%arg6) %arg3, %arg4, %arg5, %arg6 : i32, i4, i3, i1
//>     } do {
//>     ^bb0(%arg3: i32, %arg4: i4, %arg5: i3, %arg6: i1):
//>       %8 = arith.index_castui %arg4 : i4 to index
//>       %9 = arith.muli %8, %c8 : index
//>       %10 = arith.index_castui %arg5 : i3 to index
//>       %11 = arith.addi %9, %10 : index
//>       %12 = memref.load %arg0[%11] : memref<64xi32>
//>       %13 = arith.addi %arg3, %12 : i32
//>       %14 = arith.addi %arg5, %c1_i3 : i3
//>       %15 = arith.cmpi eq, %14, %3 : i3
//>       %16 = arith.select %15, %c1_i3, %14 : i3
//>       %c1_i4 = arith.constant 1 : i4
//>       %17 = arith.addi %arg4, %c1_i4 : i4
//>       %18 = arith.cmpi eq, %17, %2 : i4
//>       %19 = arith.select %18, %c0_i4, %17 : i4
//>       %20 = arith.select %15, %19, %arg4 : i4
//>       %21 = arith.andi %15, %18 : i1
//>       %true = arith.constant true
//>       %22 = arith.xori %21, %true : i1
//>       scf.yield %13, %20, %16, %22 : i32, i4, i3, i1
//>     } attributes {sluice.idle_steps = 0 : i64}
//>     return %7#0 : i32
//>   }
//>   func.func @apart(%arg0: memref<64xi32>, %arg1: index) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg2 = %c0 to %arg1 step %c1 {
//>       %0 = memref.load %arg0[%arg2] : memref<64xi32>
//>       scf.for %arg3 = %c1 to %arg1 step %c1 {
//>         memref.store %0, %arg0[%arg3] : memref<64xi32>
//>       }
//>     }
//>     scf.for %arg2 = %c0 to %arg1 step %c1 {
//>       scf.for %arg3 = %c1 to %arg2 step %c1 {
//>         %0 = memref.load %arg0[%arg2] : memref<64xi32>
//>         memref.store %0, %arg0[%arg3] : memref<64xi32>
//>       }
//>     }
//>     return
//>   }
//> }
