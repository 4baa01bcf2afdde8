// passes: predict
// config: {predict: everywhere}

// The index goes on by one or by two: rounds run at every number, and those that are passed over store nothing.
func.func @skips(%a: memref<64xi8>, %b: memref<64xi8>) -> i8 {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %c2 = arith.constant 2 : i8
  %c60 = arith.constant 60 : i8
  %sum:2 = scf.while (%i = %c0, %s = %c0) : (i8, i8) -> (i8, i8) {
    %at = arith.index_cast %i : i8 to index
    %x = memref.load %a[%at] : memref<64xi8>
    %more = arith.addi %s, %x : i8
    %is_odd = arith.trunci %x : i8 to i1
    %step = arith.select %is_odd, %c2, %c1 : i8
    %next = arith.addi %i, %step : i8
    memref.store %more, %b[%at] : memref<64xi8>
    %again = arith.cmpi slt, %next, %c60 : i8
    scf.condition(%again) %next, %more : i8, i8
  } do {
  ^bb0(%i: i8, %s: i8):
    scf.yield %i, %s : i8, i8
  }
  return %sum#1 : i8
}

// One step alone is known early enough.
func.func @counts(%a: memref<64xi8>) -> i8 {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %last = scf.while (%i = %c0) : (i8) -> i8 {
    %at = arith.index_cast %i : i8 to index
    %x = memref.load %a[%at] : memref<64xi8>
    %next = arith.addi %i, %c1 : i8
    %again = arith.cmpi ne, %x, %c0 : i8
    scf.condition(%again) %next : i8
  } do {
  ^bb0(%i: i8):
    scf.yield %i : i8
  }
  return %last : i8
}

//> module {
//>   func.func @skips(%arg0: memref<64xi8>, %arg1: memref<64xi8>) -> i8 {
//>     %c0_i8 = arith.constant 0 : i8
//>     %c1_i8 = arith.constant 1 : i8
//>     %c2_i8 = arith.constant 2 : i8
//>     %c60_i8 = arith.constant 60 : i8
//>     %0:4 = scf.while (%arg2 = %c0_i8, %arg3 = %c0_i8, %arg4 = %c0_i8) : (i8, i8, i8) -> (i8, i8, i8, i8) {
//>       %1 = arith.cmpi eq, %arg2, %arg4 : i8
//>       %2 = arith.index_cast %arg2 : i8 to index
//>       %3 = memref.load %arg0[%2] {sluice.speculated} : memref<64xi8>
//>       %4 = arith.addi %arg3, %3 : i8
//>       %5 = arith.trunci %3 : i8 to i1
//>       %6 = arith.select %5, %c2_i8, %c1_i8 : i8
//>       %7 = arith.addi %arg2, %6 : i8
//>       scf.if %1 {
//>         memref.store %4, %arg1[%2] : memref<64xi8>
//>       } {sluice.guard}
//>       %8 = arith.cmpi slt, %7, %c60_i8 : i8
//>       %true = arith.constant true
//>       %false = arith.constant false
//>       %9 = arith.select %1, %8, %true : i1
//>       %10 = arith.select %1, %8, %false : i1
//>       %c1_i8_0 = arith.constant 1 : i8
//>       %11 = arith.addi %arg2, %c1_i8_0 : i8
//>       %12 = arith.select %1, %4, %arg3 : i8
//>       %13 = arith.select %1, %7, %arg4 : i8
//>       scf.condition(%9) %11, %12, %13, %4 : i8, i8, i8, i8
//>     } do {
//>     ^bb0(%arg2: i8, %arg3: i8, %arg4: i8, %arg5: i8):
//>       scf.yield %arg2, %arg3, %arg4 : i8, i8, i8
//>     }
//>     return %0#3 : i8
//>   }
//>   func.func @counts(%arg0: memref<64xi8>) -> i8 {
//>     %c0_i8 = arith.constant 0 : i8
//>     %c1_i8 = arith.constant 1 : i8
//>     %0 = scf.while (%arg1 = %c0_i8) : (i8) -> i8 {
//>       %1 = arith.index_cast %arg1 : i8 to index
//>       %2 = memref.load %arg0[%1] : memref<64xi8>
//>       %3 = arith.addi %arg1, %c1_i8 : i8
//>       %4 = arith.cmpi ne, %2, %c0_i8 : i8
//>       scf.condition(%4) %3 : i8
//>     } do {
//>     ^bb0(%arg1: i8):
//>       scf.yield %arg1 : i8
//>     }
//>     return %0 : i8
//>   }
//> }
