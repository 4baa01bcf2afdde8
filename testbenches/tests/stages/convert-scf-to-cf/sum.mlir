// passes: convert-scf-to-cf

// The counter and the carried value become arguments of the block that tests the bound.
func.func @kernel(%n: index, %m: memref<8xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (i32) {
    %x = memref.load %m[%i] : memref<8xi32>
    %s = arith.addi %a, %x : i32
    scf.yield %s : i32
  }
  return %r : i32
}

//> module {
//>   func.func @kernel(%arg0: index, %arg1: memref<8xi32>) -> i32 {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     cf.br ^bb1(%c0, %c0_i32 : index, i32)
//>   ^bb1(%0: index, %1: i32):  // 2 preds: ^bb0, ^bb2
//>     %2 = arith.cmpi slt, %0, %arg0 : index
//>     cf.cond_br %2, ^bb2, ^bb3
//>   ^bb2:  // pred: ^bb1
//>     %3 = memref.load %arg1[%0] : memref<8xi32>
//>     %4 = arith.addi %1, %3 : i32
//>     %5 = arith.addi %0, %c1 : index
//>     cf.br ^bb1(%5, %4 : index, i32)
//>   ^bb3:  // pred: ^bb1
//>     return %1 : i32
//>   }
//> }
