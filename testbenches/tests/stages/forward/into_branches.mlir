// passes: forward

// What is loaded in front of a conditional is not loaded in it again, unless a store may have changed it.
func.func @again(%a: memref<8xi32>, %b: memref<8xi32>, %i: index, %j: index, %c: i1) -> (i32, i32) {
  %x = memref.load %a[%i] : memref<8xi32>
  %y = memref.load %b[%i] : memref<8xi32>
  %r = scf.if %c -> i32 {
    %again = memref.load %a[%i] : memref<8xi32>
    memref.store %again, %b[%j] : memref<8xi32>
    scf.yield %again : i32
  } else {
    scf.yield %x : i32
  }
  %after_a = memref.load %a[%i] : memref<8xi32>
  %after_b = memref.load %b[%i] : memref<8xi32>
  %s = arith.addi %after_a, %r : i32
  %t = arith.addi %after_b, %y : i32
  return %s, %t : i32, i32
}

//> module {
//>   func.func @again(%arg0: memref<8xi32>, %arg1: memref<8xi32>, %arg2: index, %arg3: index, %arg4: i1) -> (i32, i32) {
//>     %0 = memref.load %arg0[%arg2] : memref<8xi32>
//>     %1 = memref.load %arg1[%arg2] : memref<8xi32>
//>     %2 = scf.if %arg4 -> (i32) {
//>       memref.store %0, %arg1[%arg3] : memref<8xi32>
//>       scf.yield %0 : i32
//>     } else {
//>       scf.yield %0 : i32
//>     }
//>     %3 = memref.load %arg1[%arg2] : memref<8xi32>
//>     %4 = arith.addi %0, %2 : i32
//>     %5 = arith.addi %3, %1 : i32
//>     return %4, %5 : i32, i32
//>   }
//> }
