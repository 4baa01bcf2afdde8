// passes: lift-cf-to-scf
// Two blocks lead to each other, and both are entered from outside.
func.func @irreducible(%c: i1, %n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  cf.cond_br %c, ^a(%n : i32), ^b(%zero : i32)
^a(%x: i32):
  %less = arith.subi %x, %one : i32
  %ends = arith.cmpi slt, %less, %zero : i32
  cf.cond_br %ends, ^exit(%less : i32), ^b(%less : i32)
^b(%y: i32):
  %half = arith.shrsi %y, %one : i32
  cf.br ^a(%half : i32)
^exit(%result: i32):
  return %result : i32
}

// Three entries, one of them into the middle of an inner loop.
func.func @three(%flag: i32, %n: i32, %m: memref<4xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %at = arith.constant 0 : index
  cf.switch %flag : i32, [
    default: ^a(%n : i32),
    1: ^b(%n : i32),
    2: ^c(%one : i32)
  ]
^a(%x: i32):
  memref.store %x, %m[%at] : memref<4xi32>
  cf.br ^b(%x : i32)
^b(%y: i32):
  %less = arith.subi %y, %one : i32
  cf.br ^c(%less : i32)
^c(%z: i32):
  %ends = arith.cmpi slt, %z, %zero : i32
  cf.cond_br %ends, ^exit, ^d
^d:
  %odd = arith.andi %z, %one : i32
  %is_odd = arith.cmpi eq, %odd, %one : i32
  %half = arith.shrsi %z, %one : i32
  cf.cond_br %is_odd, ^a(%half : i32), ^b(%z : i32)
^exit:
  return %z : i32
}

//> module {
//>   func.func @irreducible(%arg0: i1, %arg1: i32) -> i32 {
//>     %c0_i32 = arith.constant {sluice.any} 0 : i32
//>     %true = arith.constant true
//>     %c0_i32_0 = arith.constant 0 : i32
//>     %c1_i32 = arith.constant 1 : i32
//>     %0:2 = scf.while (%arg2 = %arg1, %arg3 = %c0_i32_0, %arg4 = %arg0) : (i32, i32, i1) -> (i32, i32) {
//>       %1:3 = scf.if %arg4 -> (i32, i32, i1) {
//>         %2 = arith.subi %arg2, %c1_i32 : i32
//>         %3 = arith.cmpi sge, %2, %c0_i32_0 : i32
//>         scf.yield %2, %2, %3 : i32, i32, i1
//>       } else {
//>         scf.yield %c0_i32, %arg3, %true : i32, i32, i1
//>       }
//>       scf.condition(%1#2) %1#0, %1#1 : i32, i32
//>     } do {
//>     ^bb0(%arg2: i32, %arg3: i32):
//>       %1 = arith.shrsi %arg3, %c1_i32 : i32
//>       scf.yield %1, %c0_i32, %true : i32, i32, i1
//>     }
//>     return %0#0 : i32
//>   }
//>   func.func @three(%arg0: i32, %arg1: i32, %arg2: memref<4xi32>) -> i32 {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c2 = arith.constant 2 : index
//>     %c0_i32 = arith.constant {sluice.any} 0 : i32
//>     %false = arith.constant false
//>     %false_0 = arith.constant {sluice.any} false
//>     %true = arith.constant true
//>     %c0_i32_1 = arith.constant 0 : i32
//>     %c1_i32 = arith.constant 1 : i32
//>     %c0_2 = arith.constant 0 : index
//>     %0 = arith.index_castui %arg0 : i32 to index
//>     %1 = scf.index_switch %0 -> index
//>     case 1 {
//>       scf.yield %c1 : index
//>     }
//>     case 2 {
//>       scf.yield %c2 : index
//>     }
//>     default {
//>       scf.yield %c0 : index
//>     }
//>     %2:4 = scf.while (%arg3 = %arg1, %arg4 = %arg1, %arg5 = %c1_i32, %arg6 = %1) : (i32, i32, i32, index) -> (i32, i32, i32, index) {
//>       %3 = arith.cmpi eq, %arg6, %c1 : index
//>       %4:2 = scf.if %3 -> (i32, index) {
//>         %8 = arith.subi %arg4, %c1_i32 : i32
//>         scf.yield %8, %c2 : i32, index
//>       } else {
//>         scf.yield %arg5, %arg6 : i32, index
//>       }
//>       %5 = arith.cmpi eq, %4#1, %c2 : index
//>       %6:5 = scf.if %5 -> (i32, i32, index, i1, i1) {
//>         %8 = arith.cmpi slt, %4#0, %c0_i32_1 : i32
//>         %9:3 = scf.if %8 -> (i32, index, i1) {
//>           scf.yield %c0_i32, %4#1, %false : i32, index, i1
//>         } else {
//>           %11 = arith.andi %4#0, %c1_i32 : i32
//>           %12 = arith.cmpi eq, %11, %c1_i32 : i32
//>           %13 = arith.shrsi %4#0, %c1_i32 : i32
//>           %14 = arith.select %12, %4#1, %c1 : index
//>           scf.yield %13, %14, %12 : i32, index, i1
//>         }
//>         %10 = arith.cmpi sge, %4#0, %c0_i32_1 : i32
//>         scf.yield %9#0, %4#0, %9#1, %10, %9#2 : i32, i32, index, i1, i1
//>       } else {
//>         scf.yield %arg3, %arg4, %4#1, %false_0, %true : i32, i32, index, i1, i1
//>       }
//>       %7:3 = scf.if %6#4 -> (i32, index, i1) {
//>         memref.store %6#0, %arg2[%c0_2] : memref<4xi32>
//>         scf.yield %6#0, %c1, %true : i32, index, i1
//>       } else {
//>         scf.yield %6#1, %6#2, %6#3 : i32, index, i1
//>       }
//>       scf.condition(%7#2) %6#0, %7#0, %4#0, %7#1 : i32, i32, i32, index
//>     } do {
//>     ^bb0(%arg3: i32, %arg4: i32, %arg5: i32, %arg6: index):
//>       scf.yield %arg3, %arg4, %arg5, %arg6 : i32, i32, i32, index
//>     }
//>     return %2#2 : i32
//>   }
//> }
