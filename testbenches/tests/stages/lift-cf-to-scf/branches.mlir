// passes: lift-cf-to-scf
func.func @diamond(%c: i1, %m: memref<4xi32>) -> i32 {
  %at = arith.constant 1 : index
  %x = memref.load %m[%at] : memref<4xi32>
  cf.cond_br %c, ^a, ^b
^a:
  %twice = arith.addi %x, %x : i32
  memref.store %twice, %m[%at] : memref<4xi32>
  cf.br ^join(%twice : i32)
^b:
  cf.br ^join(%x : i32)
^join(%y: i32):
  %sum = arith.addi %x, %y : i32
  return %sum : i32
}

// Only the second way does something.
func.func @otherwise(%x: i32, %m: memref<4xi32>) {
  %at = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %c = arith.cmpi slt, %x, %zero : i32
  cf.cond_br %c, ^join, ^b
^b:
  memref.store %x, %m[%at] : memref<4xi32>
  cf.br ^join
^join:
  return
}

// `a && b`: the last block of the two is reached from both tests.
func.func @both(%a: i1, %b: i1, %m: memref<4xi32>, %x: i32) {
  %at = arith.constant 1 : index
  cf.cond_br %a, ^second, ^no
^second:
  cf.cond_br %b, ^yes, ^no
^yes:
  memref.store %x, %m[%at] : memref<4xi32>
  cf.br ^join
^no:
  %y = arith.addi %x, %x : i32
  memref.store %y, %m[%at] : memref<4xi32>
  cf.br ^join
^join:
  return
}

// The way that falls through three blocks can start at each of them.
func.func @falls_through(%flag: i32, %m: memref<4xi32>, %x: i32) {
  %at = arith.constant 1 : index
  cf.switch %flag : i32, [
    default: ^out,
    0: ^first,
    1: ^second,
    5: ^third
  ]
^first:
  memref.store %x, %m[%at] : memref<4xi32>
  cf.br ^second
^second:
  %at2 = arith.constant 2 : index
  memref.store %x, %m[%at2] : memref<4xi32>
  cf.br ^third
^third:
  %at3 = arith.constant 3 : index
  memref.store %x, %m[%at3] : memref<4xi32>
  cf.br ^out
^out:
  return
}

func.func @cases(%flag: i32, %wide: i64, %x: i32, %m: memref<4xi32>) -> i32 {
  %at = arith.constant 1 : index
  cf.switch %flag : i32, [
    default: ^a,
    1: ^b,
    2: ^a,
    -1: ^c
  ]
^a:
  %y = memref.load %m[%at] : memref<4xi32>
  cf.br ^join(%y : i32)
^b:
  memref.store %x, %m[%at] : memref<4xi32>
  cf.br ^join(%x : i32)
^c:
  %twice = arith.addi %x, %x : i32
  cf.br ^join(%twice : i32)
^join(%z: i32):
  cf.switch %wide : i64, [
    default: ^out(%x : i32),
    3: ^d,
    4: ^d,
    5: ^e
  ]
^d:
  memref.store %z, %m[%at] : memref<4xi32>
  cf.br ^out(%z : i32)
^e:
  %sum = arith.addi %x, %z : i32
  memref.store %sum, %m[%at] : memref<4xi32>
  cf.br ^out(%sum : i32)
^out(%result: i32):
  return %result : i32
}

// A branch that is decided, and blocks that nothing leads to.
func.func @decided(%x: i32) -> i32 {
  %true = arith.constant true
  cf.cond_br %true, ^a, ^b
^a:
  return %x : i32
^b:
  %y = arith.addi %x, %x : i32
  cf.br ^c(%y : i32)
^c(%z: i32):
  cf.br ^b
}

//> module {
//>   func.func @diamond(%arg0: i1, %arg1: memref<4xi32>) -> i32 {
//>     %c1 = arith.constant 1 : index
//>     %0 = memref.load %arg1[%c1] : memref<4xi32>
//>     %1 = scf.if %arg0 -> (i32) {
//>       %3 = arith.addi %0, %0 : i32
//>       memref.store %3, %arg1[%c1] : memref<4xi32>
//>       scf.yield %3 : i32
//>     } else {
//>       scf.yield %0 : i32
//>     }
//>     %2 = arith.addi %0, %1 : i32
//>     return %2 : i32
//>   }
//>   func.func @otherwise(%arg0: i32, %arg1: memref<4xi32>) {
//>     %c1 = arith.constant 1 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %0 = arith.cmpi sge, %arg0, %c0_i32 : i32
//>     scf.if %0 {
//>       memref.store %arg0, %arg1[%c1] : memref<4xi32>
//>     }
//>     return
//>   }
//>   func.func @both(%arg0: i1, %arg1: i1, %arg2: memref<4xi32>, %arg3: i32) {
//>     %true = arith.constant true
//>     %c1 = arith.constant 1 : index
//>     %0 = scf.if %arg0 -> (i1) {
//>       scf.if %arg1 {
//>         memref.store %arg3, %arg2[%c1] : memref<4xi32>
//>       }
//>       %1 = arith.xori %arg1, %true : i1
//>       scf.yield %1 : i1
//>     } else {
//>       scf.yield %true : i1
//>     }
//>     scf.if %0 {
//>       %1 = arith.addi %arg3, %arg3 : i32
//>       memref.store %1, %arg2[%c1] : memref<4xi32>
//>     }
//>     return
//>   }
//>   func.func @falls_through(%arg0: i32, %arg1: memref<4xi32>, %arg2: i32) {
//>     %c2 = arith.constant 2 : index
//>     %c3 = arith.constant 3 : index
//>     %c2_0 = arith.constant 2 : index
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c1_1 = arith.constant 1 : index
//>     %0 = arith.index_castui %arg0 : i32 to index
//>     %1 = scf.index_switch %0 -> index
//>     case 0 {
//>       memref.store %arg2, %arg1[%c1_1] : memref<4xi32>
//>       scf.yield %c0 : index
//>     }
//>     case 1 {
//>       scf.yield %c0 : index
//>     }
//>     case 5 {
//>       scf.yield %c1 : index
//>     }
//>     default {
//>       scf.yield %c2_0 : index
//>     }
//>     %2 = arith.cmpi eq, %1, %c0 : index
//>     %3 = scf.if %2 -> (index) {
//>       memref.store %arg2, %arg1[%c2] : memref<4xi32>
//>       scf.yield %c1 : index
//>     } else {
//>       scf.yield %1 : index
//>     }
//>     %4 = arith.cmpi eq, %3, %c1 : index
//>     scf.if %4 {
//>       memref.store %arg2, %arg1[%c3] : memref<4xi32>
//>     }
//>     return
//>   }
//>   func.func @cases(%arg0: i32, %arg1: i64, %arg2: i32, %arg3: memref<4xi32>) -> i32 {
//>     %c2 = arith.constant 2 : index
//>     %c3_i64 = arith.constant 3 : i64
//>     %c4_i64 = arith.constant 4 : i64
//>     %c0 = arith.constant 0 : index
//>     %c5_i64 = arith.constant 5 : i64
//>     %c1 = arith.constant 1 : index
//>     %c1_0 = arith.constant 1 : index
//>     %0 = arith.index_castui %arg0 : i32 to index
//>     %1 = scf.index_switch %0 -> i32
//>     case 1 {
//>       memref.store %arg2, %arg3[%c1_0] : memref<4xi32>
//>       scf.yield %arg2 : i32
//>     }
//>     case 4294967295 {
//>       %9 = arith.addi %arg2, %arg2 : i32
//>       scf.yield %9 : i32
//>     }
//>     default {
//>       %9 = memref.load %arg3[%c1_0] : memref<4xi32>
//>       scf.yield %9 : i32
//>     }
//>     %2 = arith.cmpi eq, %arg1, %c3_i64 : i64
//>     %3 = arith.cmpi eq, %arg1, %c4_i64 : i64
//>     %4 = arith.ori %2, %3 : i1
//>     %5 = arith.select %4, %c0, %c2 : index
//>     %6 = arith.cmpi eq, %arg1, %c5_i64 : i64
//>     %7 = arith.select %6, %c1, %5 : index
//>     %8 = scf.index_switch %7 -> i32
//>     case 0 {
//>       memref.store %1, %arg3[%c1_0] : memref<4xi32>
//>       scf.yield %1 : i32
//>     }
//>     case 1 {
//>       %9 = arith.addi %arg2, %1 : i32
//>       memref.store %9, %arg3[%c1_0] : memref<4xi32>
//>       scf.yield %9 : i32
//>     }
//>     default {
//>       scf.yield %arg2 : i32
//>     }
//>     return %8 : i32
//>   }
//>   func.func @decided(%arg0: i32) -> i32 {
//>     %true = arith.constant true
//>     return %arg0 : i32
//>   }
//> }
