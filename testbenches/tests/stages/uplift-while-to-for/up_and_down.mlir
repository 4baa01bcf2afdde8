// passes: uplift-while-to-for, canonicalise

// Up to a limit, one more with `sle`; the counter behind the loop is what it was when the test failed.
func.func @up(%n: i32, %m: memref<64xi32>) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %last = scf.while (%i = %c0) : (i32) -> i32 {
    %more = arith.cmpi sle, %i, %n : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %at = arith.index_cast %i : i32 to index
    memref.store %i, %m[%at] : memref<64xi32>
    %next = arith.addi %i, %c1 : i32
    scf.yield %next : i32
  }
  return %last : i32
}

// Down by two while it is not negative.
func.func @down(%m: memref<64xi32>) {
  %first = arith.constant 62 : i32
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %unused = scf.while (%i = %first) : (i32) -> i32 {
    %more = arith.cmpi sge, %i, %c0 : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %at = arith.index_cast %i : i32 to index
    memref.store %i, %m[%at] : memref<64xi32>
    %next = arith.subi %i, %c2 : i32
    scf.yield %next : i32
  }
  return
}

// Until it equals a limit, from which it may be far away: eight bits wrap.
func.func @equal(%first: i8, %limit: i8) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i8
  %r:2 = scf.while (%i = %first, %sum = %zero) : (i8, i32) -> (i8, i32) {
    %more = arith.cmpi ne, %i, %limit : i8
    scf.condition(%more) %i, %sum : i8, i32
  } do {
  ^bb0(%i: i8, %sum: i32):
    %wide = arith.extui %i : i8 to i32
    %new = arith.addi %sum, %wide : i32
    %next = arith.addi %i, %one : i8
    scf.yield %next, %new : i8, i32
  }
  return %r#1 : i32
}

//> module {
//>   func.func @up(%arg0: i32, %arg1: memref<64xi32>) -> i32 {
//>     %0 = arith.index_cast %arg0 : i32 to index
//>     %c1 = arith.constant 1 : index
//>     %1 = arith.addi %0, %c1 : index
//>     %c0 = arith.constant 0 : index
//>     %2 = arith.maxsi %1, %c0 : index
//>     scf.for %arg2 = %c0 to %1 step %c1 {
//>       %4 = arith.index_cast %arg2 : index to i32
//>       %5 = arith.index_cast %4 : i32 to index
//>       memref.store %4, %arg1[%5] : memref<64xi32>
//>     }
//>     %3 = arith.index_cast %2 : index to i32
//>     return %3 : i32
//>   }
//>   func.func @down(%arg0: memref<64xi32>) {
//>     %c0 = arith.constant 0 : index
//>     %c32 = arith.constant 32 : index
//>     %c1 = arith.constant 1 : index
//>     scf.for %arg1 = %c0 to %c32 step %c1 {
//>       %c-2 = arith.constant -2 : index
//>       %0 = arith.muli %arg1, %c-2 : index
//>       %c62 = arith.constant 62 : index
//>       %1 = arith.addi %0, %c62 : index
//>       %2 = arith.index_cast %1 : index to i32
//>       %3 = arith.index_cast %2 : i32 to index
//>       memref.store %2, %arg0[%3] : memref<64xi32>
//>     }
//>     return
//>   }
//>   func.func @equal(%arg0: i8, %arg1: i8) -> i32 {
//>     %c0_i32 = arith.constant 0 : i32
//>     %0 = arith.subi %arg1, %arg0 : i8
//>     %1 = arith.index_castui %0 : i8 to index
//>     %2 = arith.index_cast %arg0 : i8 to index
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %3 = scf.for %arg2 = %c0 to %1 step %c1 iter_args(%arg3 = %c0_i32) -> (i32) {
//>       %4 = arith.addi %arg2, %2 : index
//>       %5 = arith.index_cast %4 : index to i8
//>       %6 = arith.extui %5 : i8 to i32
//>       %7 = arith.addi %arg3, %6 : i32
//>       scf.yield %7 : i32
//>     }
//>     return %3 : i32
//>   }
//> }
