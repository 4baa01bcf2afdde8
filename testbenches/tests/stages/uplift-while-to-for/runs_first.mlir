// passes: uplift-while-to-for, canonicalise

// The body stands in front of the test and runs once at least; a narrow counter is tested wider.
func.func @at_least_once(%n: i32, %m: memref<256xi32>) -> i32 {
  %zero = arith.constant 0 : i8
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.while (%i = %zero, %sum = %none) : (i8, i32) -> (i8, i32) {
    %at = arith.index_castui %i : i8 to index
    %x = memref.load %m[%at] : memref<256xi32>
    memref.store %sum, %m[%at] : memref<256xi32>
    %new = arith.addi %sum, %x : i32
    %wide = arith.extui %i : i8 to i32
    %more = arith.addi %wide, %one : i32
    %next = arith.trunci %more : i32 to i8
    %tested = arith.extui %next : i8 to i32
    %again = arith.cmpi slt, %tested, %n : i32
    scf.condition(%again) %next, %new : i8, i32
  } do {
  ^bb0(%i: i8, %sum: i32):
    scf.yield %i, %sum : i8, i32
  }
  return %r#1 : i32
}

//> module {
//>   func.func @at_least_once(%arg0: i32, %arg1: memref<256xi32>) -> i32 {
//>     %c0_i32 = arith.constant 0 : i32
//>     %0 = arith.index_cast %arg0 : i32 to index
//>     %c1 = arith.constant 1 : index
//>     %1 = arith.maxsi %0, %c1 : index
//>     %c0 = arith.constant 0 : index
//>     %2 = scf.for %arg2 = %c0 to %1 step %c1 iter_args(%arg3 = %c0_i32) -> (i32) {
//>       %3 = arith.index_cast %arg2 : index to i8
//>       %4 = arith.index_castui %3 : i8 to index
//>       %5 = memref.load %arg1[%4] : memref<256xi32>
//>       memref.store %arg3, %arg1[%4] : memref<256xi32>
//>       %6 = arith.addi %arg3, %5 : i32
//>       scf.yield %6 : i32
//>     }
//>     return %2 : i32
//>   }
//> }
