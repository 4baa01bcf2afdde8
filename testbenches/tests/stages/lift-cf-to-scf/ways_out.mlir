// passes: lift-cf-to-scf
// One way out in the middle and one at the end, to different blocks: a bit says which.
func.func @breaks(%m: memref<16xi32>, %key: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.constant 16 : i32
  cf.br ^head(%zero : i32)
^head(%i: i32):
  %at = arith.index_cast %i : i32 to index
  %word = memref.load %m[%at] : memref<16xi32>
  %found = arith.cmpi eq, %word, %key : i32
  cf.cond_br %found, ^found, ^next
^next:
  %up = arith.addi %i, %one : i32
  %more = arith.cmpi slt, %up, %end : i32
  cf.cond_br %more, ^head(%up : i32), ^missing
^found:
  %twice = arith.addi %i, %i : i32
  cf.br ^join(%twice : i32)
^missing:
  memref.store %key, %m[%at] : memref<16xi32>
  cf.br ^join(%end : i32)
^join(%result: i32):
  return %result : i32
}

// The way out of the inner loop leads out of both.
func.func @out_of_both(%m: memref<16xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %four = arith.constant 4 : i32
  cf.br ^rows(%zero : i32)
^rows(%i: i32):
  %more_rows = arith.cmpi slt, %i, %four : i32
  cf.cond_br %more_rows, ^columns(%zero : i32), ^exit(%i : i32)
^columns(%j: i32):
  %more_columns = arith.cmpi slt, %j, %four : i32
  cf.cond_br %more_columns, ^cell, ^next_row
^cell:
  %row = arith.muli %i, %four : i32
  %sum = arith.addi %row, %j : i32
  %at = arith.index_cast %sum : i32 to index
  %word = memref.load %m[%at] : memref<16xi32>
  %is_zero = arith.cmpi eq, %word, %zero : i32
  cf.cond_br %is_zero, ^exit(%sum : i32), ^next_cell
^next_cell:
  %next_j = arith.addi %j, %one : i32
  cf.br ^columns(%next_j : i32)
^next_row:
  %next_i = arith.addi %i, %one : i32
  cf.br ^rows(%next_i : i32)
^exit(%result: i32):
  return %result : i32
}

func.func @returns(%x: i32, %y: i32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %negative = arith.cmpi slt, %x, %zero : i32
  cf.cond_br %negative, ^first, ^second
^first:
  return %x, %y : i32, i32
^second:
  %sum = arith.addi %x, %y : i32
  %large = arith.cmpi sgt, %sum, %y : i32
  cf.cond_br %large, ^third, ^fourth
^third:
  return %sum, %y : i32, i32
^fourth:
  return %y, %x : i32, i32
}

func.func @in_a_region(%c: i1, %x: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    cf.cond_br %c, ^a, ^b
  ^a:
    %twice = arith.addi %x, %x : i32
    scf.yield %twice : i32
  ^b:
    scf.yield %x : i32
  }
  return %r : i32
}

//> module {
//>   func.func @breaks(%arg0: memref<16xi32>, %arg1: i32) -> i32 {
//>     %false = arith.constant false
//>     %c0_i32 = arith.constant 0 : i32
//>     %c1_i32 = arith.constant 1 : i32
//>     %c16_i32 = arith.constant 16 : i32
//>     %0:3 = scf.while (%arg2 = %c0_i32) : (i32) -> (i32, index, i1) {
//>       %2 = arith.index_cast %arg2 : i32 to index
//>       %3 = memref.load %arg0[%2] : memref<16xi32>
//>       %4 = arith.cmpi eq, %3, %arg1 : i32
//>       %5:2 = scf.if %4 -> (i32, i1) {
//>         scf.yield %arg2, %false : i32, i1
//>       } else {
//>         %6 = arith.addi %arg2, %c1_i32 : i32
//>         %7 = arith.cmpi slt, %6, %c16_i32 : i32
//>         scf.yield %6, %7 : i32, i1
//>       }
//>       scf.condition(%5#1) %5#0, %2, %4 : i32, index, i1
//>     } do {
//>     ^bb0(%arg2: i32, %arg3: index, %arg4: i1):
//>       scf.yield %arg2 : i32
//>     }
//>     %1 = scf.if %0#2 -> (i32) {
//>       %2 = arith.addi %0#0, %0#0 : i32
//>       scf.yield %2 : i32
//>     } else {
//>       memref.store %arg1, %arg0[%0#1] : memref<16xi32>
//>       scf.yield %c16_i32 : i32
//>     }
//>     return %1 : i32
//>   }
//>   func.func @out_of_both(%arg0: memref<16xi32>) -> i32 {
//>     %c0_i32 = arith.constant {sluice.any} 0 : i32
//>     %false = arith.constant false
//>     %c0_i32_0 = arith.constant 0 : i32
//>     %c1_i32 = arith.constant 1 : i32
//>     %c4_i32 = arith.constant 4 : i32
//>     %0:2 = scf.while (%arg1 = %c0_i32_0) : (i32) -> (i32, i32) {
//>       %1 = arith.cmpi slt, %arg1, %c4_i32 : i32
//>       %2:2 = scf.if %1 -> (i32, i1) {
//>         %3:3 = scf.while (%arg2 = %c0_i32_0) : (i32) -> (i32, i32, i1) {
//>           %4 = arith.cmpi slt, %arg2, %c4_i32 : i32
//>           %5:2 = scf.if %4 -> (i32, i1) {
//>             %7 = arith.muli %arg1, %c4_i32 : i32
//>             %8 = arith.addi %7, %arg2 : i32
//>             %9 = arith.index_cast %8 : i32 to index
//>             %10 = memref.load %arg0[%9] : memref<16xi32>
//>             %11 = arith.cmpi ne, %10, %c0_i32_0 : i32
//>             scf.yield %8, %11 : i32, i1
//>           } else {
//>             scf.yield %c0_i32, %false : i32, i1
//>           }
//>           %6 = arith.cmpi sge, %arg2, %c4_i32 : i32
//>           scf.condition(%5#1) %arg2, %5#0, %6 : i32, i32, i1
//>         } do {
//>         ^bb0(%arg2: i32, %arg3: i32, %arg4: i1):
//>           %4 = arith.addi %arg2, %c1_i32 : i32
//>           scf.yield %4 : i32
//>         }
//>         scf.yield %3#1, %3#2 : i32, i1
//>       } else {
//>         scf.yield %arg1, %false : i32, i1
//>       }
//>       scf.condition(%2#1) %arg1, %2#0 : i32, i32
//>     } do {
//>     ^bb0(%arg1: i32, %arg2: i32):
//>       %1 = arith.addi %arg1, %c1_i32 : i32
//>       scf.yield %1 : i32
//>     }
//>     return %0#1 : i32
//>   }
//>   func.func @returns(%arg0: i32, %arg1: i32) -> (i32, i32) {
//>     %c0_i32 = arith.constant 0 : i32
//>     %0 = arith.cmpi slt, %arg0, %c0_i32 : i32
//>     %1:2 = scf.if %0 -> (i32, i32) {
//>       scf.yield %arg0, %arg1 : i32, i32
//>     } else {
//>       %2 = arith.addi %arg0, %arg1 : i32
//>       %3 = arith.cmpi sgt, %2, %arg1 : i32
//>       %4 = arith.select %3, %2, %arg1 : i32
//>       %5 = arith.select %3, %arg1, %arg0 : i32
//>       scf.yield %4, %5 : i32, i32
//>     }
//>     return %1#0, %1#1 : i32, i32
//>   }
//>   func.func @in_a_region(%arg0: i1, %arg1: i32) -> i32 {
//>     %0 = scf.execute_region -> i32 {
//>       %1 = scf.if %arg0 -> (i32) {
//>         %2 = arith.addi %arg1, %arg1 : i32
//>         scf.yield %2 : i32
//>       } else {
//>         scf.yield %arg1 : i32
//>       }
//>       scf.yield %1 : i32
//>     }
//>     return %0 : i32
//>   }
//> }
