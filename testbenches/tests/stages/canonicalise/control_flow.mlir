// passes: canonicalise

// What is known is not decided again: a taken branch, a loop of one iteration, a value that is carried unchanged.
func.func @control(%x: i8, %a: memref<4xi8>) -> (i8, i8) {
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %y = scf.if %true -> i8 {
    %two = arith.constant 2 : i8
    %t = arith.addi %x, %two : i8
    scf.yield %t : i8
  } else {
    scf.yield %x : i8
  }
  scf.for %i = %c0 to %c1 step %c1 {
    memref.store %y, %a[%i] : memref<4xi8>
  }
  %kept = scf.for %i = %c0 to %c4 step %c1 iter_args(%carried = %y) -> (i8) {
    memref.store %carried, %a[%i] : memref<4xi8>
    scf.yield %carried : i8
  }
  %nothing = scf.for %i = %c0 to %c4 step %c1 iter_args(%sum = %x) -> (i8) {
    %next = arith.addi %sum, %x : i8
    scf.yield %next : i8
  }
  return %y, %kept : i8, i8
}

//> module {
//>   func.func @control(%arg0: i8, %arg1: memref<4xi8>) -> (i8, i8) {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     %c2_i8 = arith.constant 2 : i8
//>     %0 = arith.addi %arg0, %c2_i8 : i8
//>     memref.store %0, %arg1[%c0] : memref<4xi8>
//>     %1 = scf.for %arg2 = %c0 to %c4 step %c1 iter_args(%arg3 = %0) -> (i8) {
//>       memref.store %0, %arg1[%arg2] : memref<4xi8>
//>       scf.yield %0 : i8
//>     }
//>     return %0, %0 : i8, i8
//>   }
//> }
