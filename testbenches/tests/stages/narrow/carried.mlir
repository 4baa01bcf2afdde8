// passes: narrow

// A counter that a condition stops: 0 to 100, and in the body one less.
func.func @stopped(%a: memref<128xi32>, %limit: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c100 = arith.constant 100 : i32
  %end = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi slt, %i, %c100 : i32
    %at = arith.index_cast %i : i32 to index
    %x = memref.load %a[%at] : memref<128xi32>
    %small = arith.cmpi slt, %x, %limit : i32
    %goes_on = arith.andi %more, %small : i1
    scf.condition(%goes_on) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %c1 : i32
    scf.yield %next : i32
  }
  return %end : i32
}

// At most one more in each of 64 rounds, and two less in each of 16 inside.
func.func @counted(%a: memref<64xi32>) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %n:2 = scf.for %i = %c0 to %c64 step %c1 iter_args(%up = %zero, %down = %zero) -> (i32, i32) {
    %x = memref.load %a[%i] : memref<64xi32>
    %is = arith.cmpi sgt, %x, %one : i32
    %more = scf.if %is -> (i32) {
      %y = arith.addi %up, %one : i32
      scf.yield %y : i32
    } else {
      scf.yield %up : i32
    }
    %less = scf.for %j = %c0 to %c16 step %c1 iter_args(%d = %down) -> (i32) {
      %y = arith.subi %d, %two : i32
      scf.yield %y : i32
    }
    scf.yield %more, %less : i32, i32
  }
  return %n#0, %n#1 : i32, i32
}

// Between 0 and 50 both ways: what conditions guard, and the lesser of two.
func.func @guarded(%x: i32, %y: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c50 = arith.constant 50 : i32
  %low = arith.cmpi sge, %x, %c0 : i32
  %high = arith.cmpi sle, %x, %c50 : i32
  %in = arith.andi %low, %high : i1
  %r = scf.if %in -> (i32) {
    scf.yield %x : i32
  } else {
    scf.yield %c0 : i32
  }
  %less = arith.cmpi ult, %y, %c50 : i32
  %least = arith.select %less, %y, %c50 : i32
  return %r, %least : i32, i32
}

// Nothing keeps it: all bits.
func.func @loose(%n: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %end = scf.while (%i = %c1) : (i32) -> i32 {
    %more = arith.cmpi ne, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %next = arith.addi %i, %c1 : i32
    scf.yield %next : i32
  }
  return %end : i32
}

//> module {
//>   func.func @stopped(%arg0: memref<128xi32>, %arg1: i32) -> i32 {
//>     %false = arith.constant false
//>     %true = arith.constant true
//>     %c-28_i7 = arith.constant -28 : i7
//>     %c0_i7 = arith.constant 0 : i7
//>     %0 = scf.while (%arg2 = %c0_i7) : (i7) -> i7 {
//>       %c-28_i7_0 = arith.constant -28 : i7
//>       %2 = arith.cmpi ult, %arg2, %c-28_i7_0 : i7
//>       %3 = arith.index_castui %arg2 : i7 to index
//>       %4 = memref.load %arg0[%3] : memref<128xi32>
//>       %5 = arith.cmpi slt, %4, %arg1 : i32
//>       %6 = arith.andi %2, %5 : i1
//>       scf.condition(%6) %arg2 : i7
//>     } do {
//>     ^bb0(%arg2: i7):
//>       %c1_i7 = arith.constant 1 : i7
//>       %2 = arith.addi %arg2, %c1_i7 : i7
//>       scf.yield %2 : i7
//>     }
//>     %1 = arith.extui %0 : i7 to i32
//>     return %1 : i32
//>   }
//>   func.func @counted(%arg0: memref<64xi32>) -> (i32, i32) {
//>     %false = arith.constant false
//>     %true = arith.constant true
//>     %c-16_i5 = arith.constant -16 : i5
//>     %c-64_i7 = arith.constant -64 : i7
//>     %false_0 = arith.constant false
//>     %true_1 = arith.constant true
//>     %c-2_i2 = arith.constant -2 : i2
//>     %c0_i8 = arith.constant 0 : i8
//>     %c64_i8 = arith.constant 64 : i8
//>     %c1_i8 = arith.constant 1 : i8
//>     %c0_i7 = arith.constant 0 : i7
//>     %c0_i12 = arith.constant 0 : i12
//>     %0:2 = scf.for %arg1 = %c0_i8 to %c64_i8 step %c1_i8 iter_args(%arg2 = %c0_i7, %arg3 = %c0_i12) -> (i7, i12)  : i8 {
//>       %3 = arith.trunci %arg1 : i8 to i6
//>       %4 = arith.index_castui %3 : i6 to index
//>       %5 = memref.load %arg0[%4] : memref<64xi32>
//>       %c1_i32 = arith.constant 1 : i32
//>       %6 = arith.cmpi sgt, %5, %c1_i32 : i32
//>       %7 = scf.if %6 -> (i7) {
//>         %c1_i7 = arith.constant 1 : i7
//>         %9 = arith.addi %arg2, %c1_i7 : i7
//>         scf.yield %9 : i7
//>       } else {
//>         scf.yield %arg2 : i7
//>       }
//>       %c0_i6 = arith.constant 0 : i6
//>       %c16_i6 = arith.constant 16 : i6
//>       %c1_i6 = arith.constant 1 : i6
//>       %8 = scf.for %arg4 = %c0_i6 to %c16_i6 step %c1_i6 iter_args(%arg5 = %arg3) -> (i12)  : i6 {
//>         %c2_i12 = arith.constant 2 : i12
//>         %9 = arith.subi %arg5, %c2_i12 : i12
//>         scf.yield %9 : i12
//>       }
//>       scf.yield %7, %8 : i7, i12
//>     }
//>     %1 = arith.extui %0#0 : i7 to i32
//>     %2 = arith.extsi %0#1 : i12 to i32
//>     return %1, %2 : i32, i32
//>   }
//>   func.func @guarded(%arg0: i32, %arg1: i32) -> (i32, i32) {
//>     %false = arith.constant false
//>     %c-14_i6 = arith.constant -14 : i6
//>     %c0_i32 = arith.constant 0 : i32
//>     %0 = arith.cmpi sge, %arg0, %c0_i32 : i32
//>     %c50_i32 = arith.constant 50 : i32
//>     %1 = arith.cmpi sle, %arg0, %c50_i32 : i32
//>     %2 = arith.andi %0, %1 : i1
//>     %3 = scf.if %2 -> (i6) {
//>       %9 = arith.trunci %arg0 : i32 to i6
//>       scf.yield %9 : i6
//>     } else {
//>       %c0_i6 = arith.constant 0 : i6
//>       scf.yield %c0_i6 : i6
//>     }
//>     %c50_i32_0 = arith.constant 50 : i32
//>     %4 = arith.cmpi ult, %arg1, %c50_i32_0 : i32
//>     %5 = arith.trunci %arg1 : i32 to i6
//>     %c-14_i6_1 = arith.constant -14 : i6
//>     %6 = arith.select %4, %5, %c-14_i6_1 : i6
//>     %7 = arith.extui %3 : i6 to i32
//>     %8 = arith.extui %6 : i6 to i32
//>     return %7, %8 : i32, i32
//>   }
//>   func.func @loose(%arg0: i32) -> i32 {
//>     %true = arith.constant true
//>     %c1_i32 = arith.constant 1 : i32
//>     %0 = scf.while (%arg1 = %c1_i32) : (i32) -> i32 {
//>       %1 = arith.cmpi ne, %arg1, %arg0 : i32
//>       scf.condition(%1) %arg1 : i32
//>     } do {
//>     ^bb0(%arg1: i32):
//>       %c1_i32_0 = arith.constant 1 : i32
//>       %1 = arith.addi %arg1, %c1_i32_0 : i32
//>       scf.yield %1 : i32
//>     }
//>     return %0 : i32
//>   }
//> }
