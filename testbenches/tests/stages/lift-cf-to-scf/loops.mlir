// passes: lift-cf-to-scf
func.func @tests_first(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero, %zero : i32, i32)
^head(%i: i32, %sum: i32):
  %more = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %larger = arith.addi %sum, %i : i32
  %next = arith.addi %i, %one : i32
  cf.br ^head(%next, %larger : i32, i32)
^exit:
  return %sum : i32
}

func.func @tests_last(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^body(%zero : i32)
^body(%i: i32):
  %next = arith.addi %i, %one : i32
  %more = arith.cmpi slt, %next, %n : i32
  cf.cond_br %more, ^body(%next : i32), ^exit(%next : i32)
^exit(%last: i32):
  return %last : i32
}

// Both tests are in front of the second half; no flag is carried.
func.func @two_tests(%m: memref<16xi32>, %most: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %more = arith.cmpi slt, %i, %most : i32
  cf.cond_br %more, ^look, ^exit
^look:
  %at = arith.index_cast %i : i32 to index
  %word = arith.constant 7 : i32
  %found = memref.load %m[%at] : memref<16xi32>
  %is_it = arith.cmpi eq, %found, %word : i32
  cf.cond_br %is_it, ^exit, ^next
^next:
  memref.store %i, %m[%at] : memref<16xi32>
  %up = arith.addi %i, %one : i32
  cf.br ^head(%up : i32)
^exit:
  return %i : i32
}

func.func @nested(%n: i32, %m: memref<16xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.br ^rows(%zero : i32)
^rows(%i: i32):
  %more_rows = arith.cmpi slt, %i, %n : i32
  cf.cond_br %more_rows, ^columns(%zero : i32), ^exit
^columns(%j: i32):
  %more_columns = arith.cmpi slt, %j, %i : i32
  cf.cond_br %more_columns, ^cell, ^next_row
^cell:
  %at = arith.index_cast %j : i32 to index
  memref.store %i, %m[%at] : memref<16xi32>
  %next_j = arith.addi %j, %one : i32
  cf.br ^columns(%next_j : i32)
^next_row:
  %next_i = arith.addi %i, %one : i32
  cf.br ^rows(%next_i : i32)
^exit:
  return
}

// The second latch goes round without a test.
func.func @two_latches(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  cf.br ^head(%n, %one : i32, i32)
^head(%x: i32, %steps: i32):
  %more = arith.cmpi ne, %x, %one : i32
  cf.cond_br %more, ^body, ^exit
^body:
  %bit = arith.andi %x, %one : i32
  %odd = arith.cmpi eq, %bit, %one : i32
  %next = arith.addi %steps, %one : i32
  cf.cond_br %odd, ^up, ^down
^up:
  %t = arith.muli %x, %three : i32
  %u = arith.addi %t, %one : i32
  cf.br ^head(%u, %next : i32, i32)
^down:
  %h = arith.shrui %x, %one : i32
  cf.br ^head(%h, %next : i32, i32)
^exit:
  return %steps : i32
}

// An argument that every round passes on as it is.
func.func @unchanged(%n: i32, %k: i32) -> i32 {
  cf.br ^head(%n, %k : i32, i32)
^head(%i: i32, %same: i32):
  %less = arith.subi %i, %same : i32
  %more = arith.cmpi sgt, %less, %same : i32
  cf.cond_br %more, ^head(%less, %same : i32, i32), ^exit
^exit:
  %sum = arith.addi %less, %same : i32
  return %sum : i32
}

// Nothing leads out of the loop that is taken for a negative number.
func.func @endless(%n: i32, %m: memref<4xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %at = arith.constant 0 : index
  %negative = arith.cmpi slt, %n, %zero : i32
  cf.cond_br %negative, ^stay(%n : i32), ^leave
^stay(%i: i32):
  memref.store %i, %m[%at] : memref<4xi32>
  %next = arith.addi %i, %n : i32
  cf.br ^stay(%next : i32)
^leave:
  return %n : i32
}

//> module {
//>   func.func @tests_first(%arg0: i32) -> i32 {
//>     %c0_i32 = arith.constant 0 : i32
//>     %c1_i32 = arith.constant 1 : i32
//>     %0:2 = scf.while (%arg1 = %c0_i32, %arg2 = %c0_i32) : (i32, i32) -> (i32, i32) {
//>       %1 = arith.cmpi slt, %arg1, %arg0 : i32
//>       scf.condition(%1) %arg1, %arg2 : i32, i32
//>     } do {
//>     ^bb0(%arg1: i32, %arg2: i32):
//>       %1 = arith.addi %arg2, %arg1 : i32
//>       %2 = arith.addi %arg1, %c1_i32 : i32
//>       scf.yield %2, %1 : i32, i32
//>     }
//>     return %0#1 : i32
//>   }
//>   func.func @tests_last(%arg0: i32) -> i32 {
//>     %c0_i32 = arith.constant 0 : i32
//>     %c1_i32 = arith.constant 1 : i32
//>     %0 = scf.while (%arg1 = %c0_i32) : (i32) -> i32 {
//>       %1 = arith.addi %arg1, %c1_i32 : i32
//>       %2 = arith.cmpi slt, %1, %arg0 : i32
//>       scf.condition(%2) %1 : i32
//>     } do {
//>     ^bb0(%arg1: i32):
//>       scf.yield %arg1 : i32
//>     }
//>     return %0 : i32
//>   }
//>   func.func @two_tests(%arg0: memref<16xi32>, %arg1: i32) -> i32 {
//>     %c7_i32 = arith.constant 7 : i32
//>     %c0 = arith.constant {sluice.any} 0 : index
//>     %false = arith.constant false
//>     %c0_i32 = arith.constant 0 : i32
//>     %c1_i32 = arith.constant 1 : i32
//>     %0:2 = scf.while (%arg2 = %c0_i32) : (i32) -> (i32, index) {
//>       %1 = arith.cmpi slt, %arg2, %arg1 : i32
//>       %2:2 = scf.if %1 -> (index, i1) {
//>         %3 = arith.index_cast %arg2 : i32 to index
//>         %4 = memref.load %arg0[%3] : memref<16xi32>
//>         %5 = arith.cmpi ne, %4, %c7_i32 : i32
//>         scf.yield %3, %5 : index, i1
//>       } else {
//>         scf.yield %c0, %false : index, i1
//>       }
//>       scf.condition(%2#1) %arg2, %2#0 : i32, index
//>     } do {
//>     ^bb0(%arg2: i32, %arg3: index):
//>       memref.store %arg2, %arg0[%arg3] : memref<16xi32>
//>       %1 = arith.addi %arg2, %c1_i32 : i32
//>       scf.yield %1 : i32
//>     }
//>     return %0#0 : i32
//>   }
//>   func.func @nested(%arg0: i32, %arg1: memref<16xi32>) {
//>     %c0_i32 = arith.constant 0 : i32
//>     %c1_i32 = arith.constant 1 : i32
//>     %0 = scf.while (%arg2 = %c0_i32) : (i32) -> i32 {
//>       %1 = arith.cmpi slt, %arg2, %arg0 : i32
//>       scf.condition(%1) %arg2 : i32
//>     } do {
//>     ^bb0(%arg2: i32):
//>       %1 = scf.while (%arg3 = %c0_i32) : (i32) -> i32 {
//>         %3 = arith.cmpi slt, %arg3, %arg2 : i32
//>         scf.condition(%3) %arg3 : i32
//>       } do {
//>       ^bb0(%arg3: i32):
//>         %3 = arith.index_cast %arg3 : i32 to index
//>         memref.store %arg2, %arg1[%3] : memref<16xi32>
//>         %4 = arith.addi %arg3, %c1_i32 : i32
//>         scf.yield %4 : i32
//>       }
//>       %2 = arith.addi %arg2, %c1_i32 : i32
//>       scf.yield %2 : i32
//>     }
//>     return
//>   }
//>   func.func @two_latches(%arg0: i32) -> i32 {
//>     %c1_i32 = arith.constant 1 : i32
//>     %c3_i32 = arith.constant 3 : i32
//>     %0:2 = scf.while (%arg1 = %arg0, %arg2 = %c1_i32) : (i32, i32) -> (i32, i32) {
//>       %1 = arith.cmpi ne, %arg1, %c1_i32 : i32
//>       scf.condition(%1) %arg1, %arg2 : i32, i32
//>     } do {
//>     ^bb0(%arg1: i32, %arg2: i32):
//>       %1 = arith.andi %arg1, %c1_i32 : i32
//>       %2 = arith.cmpi eq, %1, %c1_i32 : i32
//>       %3 = arith.addi %arg2, %c1_i32 : i32
//>       %4 = scf.if %2 -> (i32) {
//>         %5 = arith.muli %arg1, %c3_i32 : i32
//>         %6 = arith.addi %5, %c1_i32 : i32
//>         scf.yield %6 : i32
//>       } else {
//>         %5 = arith.shrui %arg1, %c1_i32 : i32
//>         scf.yield %5 : i32
//>       }
//>       scf.yield %4, %3 : i32, i32
//>     }
//>     return %0#1 : i32
//>   }
//>   func.func @unchanged(%arg0: i32, %arg1: i32) -> i32 {
//>     %0 = scf.while (%arg2 = %arg0) : (i32) -> i32 {
//>       %2 = arith.subi %arg2, %arg1 : i32
//>       %3 = arith.cmpi sgt, %2, %arg1 : i32
//>       scf.condition(%3) %2 : i32
//>     } do {
//>     ^bb0(%arg2: i32):
//>       scf.yield %arg2 : i32
//>     }
//>     %1 = arith.addi %0, %arg1 : i32
//>     return %1 : i32
//>   }
//>   func.func @endless(%arg0: i32, %arg1: memref<4xi32>) -> i32 {
//>     %true = arith.constant true
//>     %c0_i32 = arith.constant 0 : i32
//>     %c0 = arith.constant 0 : index
//>     %0 = arith.cmpi slt, %arg0, %c0_i32 : i32
//>     scf.if %0 {
//>       %1 = scf.while (%arg2 = %arg0) : (i32) -> i32 {
//>         memref.store %arg2, %arg1[%c0] : memref<4xi32>
//>         %2 = arith.addi %arg2, %arg0 : i32
//>         scf.condition(%true) %2 : i32
//>       } do {
//>       ^bb0(%arg2: i32):
//>         scf.yield %arg2 : i32
//>       }
//>     }
//>     return %arg0 : i32
//>   }
//> }
