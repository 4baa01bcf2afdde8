// passes: balance

// The carried value is added last; without the attribute nothing changes.
func.func @sum(%a: memref<8xi32>, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (i32) {
    %x = memref.load %a[%i] : memref<8xi32>
    %s0 = arith.addi %acc, %x : i32
    %s1 = arith.addi %s0, %s0 : i32
    %p = arith.muli %x, %x : i32
    %s2 = arith.addi %s1, %p : i32
    %s3 = arith.addi %s2, %x : i32
    %s4 = arith.addi %s3, %x : i32
    scf.yield %s4 : i32
  } {sluice.balance}
  return %sum : i32
}

//> module {
//>   func.func @sum(%arg0: memref<8xi32>, %arg1: index) -> i32 {
//>     %c0 = arith.constant 0 : index
//>     %c1 = arith.constant 1 : index
//>     %c0_i32 = arith.constant 0 : i32
//>     %0 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %c0_i32) -> (i32) {
//>       %1 = memref.load %arg0[%arg2] : memref<8xi32>
//>       %2 = arith.addi %arg3, %1 : i32
//>       %3 = arith.muli %1, %1 : i32
//>       %4 = arith.addi %1, %1 : i32
//>       %5 = arith.addi %2, %2 : i32
//>       %6 = arith.addi %4, %5 : i32
//>       %7 = arith.addi %3, %6 : i32
//>       scf.yield %7 : i32
//>     }
//>     return %0 : i32
//>   }
//> }
