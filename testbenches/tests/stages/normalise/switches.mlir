// passes: normalise

// Switches are chains of comparisons, a parallel loop is a nest whose reduction is carried.
func.func @switches(%i: index, %x: i32, %a: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %y = scf.index_switch %i -> i32
  case 2 {
    scf.yield %x : i32
  }
  case 5 {
    %t = arith.addi %x, %x : i32
    scf.yield %t : i32
  }
  default {
    %t = arith.muli %x, %x : i32
    scf.yield %t : i32
  }
  %sum = scf.parallel (%k) = (%c0) to (%c4) step (%c1) init (%y) -> i32 {
    %e = memref.load %a[%k] : memref<4xi32>
    scf.reduce(%e : i32) {
    ^bb0(%u: i32, %v: i32):
      %w = arith.addi %u, %v : i32
      scf.reduce.return %w : i32
    }
  }
  cf.switch %x : i32, [
    default: ^one(%sum : i32),
    7: ^one(%x : i32),
    9: ^two
  ]
^one(%r: i32):
  return %r : i32
^two:
  return %y : i32
}

//> module {
//>   func.func @switches(%arg0: index, %arg1: i32, %arg2: memref<4xi32>) -> i32 {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c4 = arith.constant 4 : index
//>     %c2 = arith.constant 2 : index
//>     %0 = arith.cmpi eq, %arg0, %c2 : index
//>     %1 = scf.if %0 -> (i32) {
//>       scf.yield %arg1 : i32
//>     } else {
//>       %c5 = arith.constant 5 : index
//>       %6 = arith.cmpi eq, %arg0, %c5 : index
//>       %7 = scf.if %6 -> (i32) {
//>         %8 = arith.addi %arg1, %arg1 : i32
//>         scf.yield %8 : i32
//>       } else {
//>         %8 = arith.muli %arg1, %arg1 : i32
//>         scf.yield %8 : i32
//>       }
//>       scf.yield %7 : i32
//>     }
//>     %2 = scf.for %arg3 = %c0 to %c4 step %c1 iter_args(%arg4 = %1) -> (i32) {
//>       %6 = memref.load %arg2[%arg3] : memref<4xi32>
//>       %7 = arith.addi %arg4, %6 : i32
//>       scf.yield %7 : i32
//>     }
//>     %c7_i32 = arith.constant 7 : i32
//>     %3 = arith.cmpi eq, %arg1, %c7_i32 : i32
//>     cf.cond_br %3, ^bb2(%arg1 : i32), ^bb1
//>   ^bb1:  // pred: ^bb0
//>     %c9_i32 = arith.constant 9 : i32
//>     %4 = arith.cmpi eq, %arg1, %c9_i32 : i32
//>     cf.cond_br %4, ^bb3, ^bb2(%2 : i32)
//>   ^bb2(%5: i32):  // 2 preds: ^bb0, ^bb1
//>     return %5 : i32
//>   ^bb3:  // pred: ^bb1
//>     return %1 : i32
//>   }
//> }
